import NightjarModel

/// A notification as the Desktop Notifications Specification (1.3) wants it, in a form that its service can show.
struct DesktopNotice: Sendable {
  /// What a service says it can do.
  struct Capabilities: Sendable {
    var hasActions = false
    var hasBody = false
    var hasMarkup = false
    var hasSound = false
    var isPersistent = false

    /// As `GetCapabilities` names them.
    init(_ names: [String] = []) {
      (hasActions, hasBody) = (names.contains("actions"), names.contains("body"))
      (hasMarkup, hasSound) = (names.contains("body-markup"), names.contains("sound"))
      isPersistent = names.contains("persistence")
    }
  }

  /// The action that stands for a click on the notification itself.
  static let tap = "default"
  /// The action of the button.
  static let button = "open"

  private let banner: Banner
  private let look: DesktopLook
  private let capabilities: Capabilities
  private let isQuiet: Bool

  init(_ banner: Banner, _ look: DesktopLook, for capabilities: Capabilities, isQuiet: Bool) {
    (self.banner, self.look, self.capabilities, self.isQuiet) = (banner, look, capabilities, isQuiet)
  }

  var appName: String { Self.plain(banner.title) }
  var icon: String { look.icon.map(Self.url) ?? "" }

  /// The app's name; where the service shows nothing but this line, the title and the text, too.
  var summary: String {
    let words = capabilities.hasBody ? [] : [banner.heading, banner.body].compactMap { $0.map(Self.plain) }
    return ([appName] + words).joined(separator: ": ").split(separator: "\n").joined(separator: " ")
  }

  /// The title and the text, escaped where the service reads markup.
  var body: String {
    guard capabilities.hasBody else { return "" }
    let (title, text) = (banner.heading.map(Self.plain), Self.plain(banner.body))
    guard capabilities.hasMarkup else { return [title, text].compactMap(\.self).joined(separator: "\n") }
    return (title.map { "<b>\(Self.escaped($0))</b>\n" } ?? "") + Self.escaped(text)
  }

  /// Clicking always opens the app; a button says so if the app has asked for one.
  var actions: [String] {
    guard capabilities.hasActions else { return [] }
    let title = banner.action.map(Self.plain)
    return [Self.tap, title ?? "Open"] + (title.map { [Self.button, $0] } ?? [])
  }

  var hints: [(name: String, value: BusArgument)] {
    var hints: [(name: String, value: BusArgument)] = [
      ("desktop-entry", .text(banner.app.rawValue)), ("urgency", .byte(isQuiet ? 0 : 1)),
    ]
    guard banner.sounds, !isQuiet else { return hints + [("suppress-sound", .truth(true))] }
    if capabilities.hasSound {
      hints.append(look.sound.map { ("sound-file", .text($0)) } ?? ("sound-name", .text("message-new-instant")))
    }
    return hints
  }

  /// A text without control characters, except line feeds and tabs.
  static func plain(_ text: String) -> String {
    let scalars = text.unicodeScalars.filter { $0 == "\n" || $0 == "\t" || $0.value >= 0x20 && $0.value != 0x7F }
    return String(String.UnicodeScalarView(scalars))
  }

  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A path as a URL (RFC 8089).
  static func url(_ path: String) -> String { "file://" + path.percentEncoded(sparing: "/-._~") }
}

/// What an app's notifications look and sound like on the desktop.
public struct DesktopLook: Hashable, Sendable {
  /// The path of an image; nil for none.
  public var icon: String?
  /// The path of a sound; nil for the desktop's own.
  public var sound: String?

  /// A look with an icon and a sound, if there are any.
  public init(icon: String? = nil, sound: String? = nil) { (self.icon, self.sound) = (icon, sound) }
}
