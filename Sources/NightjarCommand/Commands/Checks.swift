import ArgumentParser
import FoundationEssentials
import NightjarModel
import NightjarWire

// Translates arguments that a person typed into what the daemon takes, or refuses them with the reason.

/// An absolute HTTP URL.
struct WebAddress: ExpressibleByArgument, Hashable, Sendable {
  /// The URL as the daemon takes it: without spaces.
  let text: String

  /// Accepts any text; ``check()`` reports what is wrong with it.
  init(argument: String) { text = argument.withSpacesEncoded }

  /// - Throws: `ValidationError` if it is not absolute, not HTTP, or no valid URL.
  func check() throws {
    // Checked before the host: not every URL has one.
    guard [nil, "http", "https"].contains(scheme) else {
      throw ValidationError("'\(shown)' cannot be transferred; only http: and https: URLs can.")
    }
    if let fault = Authority(of: text)?.fault {
      throw ValidationError("'\(shown)' cannot be used: \(fault).")
    }
    guard let url = URLComponents(string: text), scheme != nil else {
      throw ValidationError("'\(shown)' is no URL; write it out, such as https://example.com/file.")
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw ValidationError("'\(shown)' cannot be used: it holds control characters.")
    }
    guard let host = url.host, !host.isEmpty else {
      throw ValidationError("'\(shown)' names no host; write it out, such as https://example.com/file.")
    }
  }

  /// The text without what may be a password, whether it is a URL or not.
  private var shown: String {
    let server = text.utf8.prefix { !"?#".utf8.contains($0) }
    guard text.authority == nil, let sign = server.lastIndex(of: UInt8(ascii: "@")) else {
      return text.withoutCredentials
    }
    return (scheme.map { "\($0):" } ?? "") + "…" + text[text.utf8.index(after: sign)...]
  }

  /// The text before the first colon, in lowercase; nil if it is no valid scheme (RFC 3986, section 3.1).
  private var scheme: String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text.utf8.first.map(Self.letters.contains) == true,
      text[..<colon].utf8.allSatisfy({ Self.letters.contains($0) || Self.digitsAndSigns.contains($0) })
    else { return nil }
    return text[..<colon].lowercased()
  }

  private static let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
  private static let digitsAndSigns = Set("0123456789+-.".utf8)
}

extension String {
  /// A URL whose spaces are percent-encoded from its path on. Elsewhere they are mistakes.
  fileprivate var withSpacesEncoded: String {
    guard let authority else { return self }
    return String(self[..<authority.upperBound]) + self[authority.upperBound...].replacing(" ", with: "%20")
  }
}

/// A header field, written `Name: value`.
struct HeaderField: ExpressibleByArgument, Hashable, Sendable {
  let text: String

  /// Accepts any text; ``check()`` reports what is wrong with it.
  init(argument: String) { text = argument }

  /// The field in the protocol's form; nil if the colon is missing.
  var wire: WireHeader? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let value = text[text.utf8.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    return WireHeader(name: String(text[..<colon]), value: String(value))
  }

  /// - Throws: `ValidationError` if it is no valid field (RFC 9110, section 5).
  func check() throws {
    guard let wire else {
      throw ValidationError("'\(text)' is no header field; write it as 'Name: value'.")
    }
    guard !wire.name.isEmpty, wire.name.utf8.allSatisfy(Self.tokenBytes.contains) else {
      throw ValidationError("'\(wire.name)' cannot be a header field's name; it has letters, digits and hyphens only.")
    }
    guard !HTTPField.belongsToConnection(wire.name) else {
      throw ValidationError(
        "The header field '\(wire.name)' belongs to the connection, so yours is never sent; leave it out.")
    }
    guard !wire.value.unicodeScalars.contains(where: \.isControlButTab) else {
      throw ValidationError("The value of the header field '\(wire.name)' holds control characters.")
    }
  }

  private static let tokenBytes = Set(
    "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
}

/// The number of a transfer.
struct TransferNumber: ExpressibleByArgument, Hashable, Sendable {
  static var defaultCompletionKind: CompletionKind { CompleteCommand.Words.transfers.kind }

  let text: String

  /// Accepts any text; ``check()`` reports what is wrong with it.
  init(argument: String) { text = argument }

  /// The number; 0 if the text is none.
  var id: Int64 { Int64(text) ?? 0 }

  /// - Throws: `ValidationError` unless it is a number from 1 up.
  func check() throws {
    guard id > 0 else {
      throw ValidationError("'\(text)' is no transfer; it is a number, which `nightjar transfers` shows.")
    }
  }
}

/// The identifier of an app.
struct AppName: ExpressibleByArgument, Hashable, Sendable {
  static var defaultCompletionKind: CompletionKind { CompleteCommand.Words.apps.kind }

  let text: String

  /// Accepts any text; ``check()`` reports what is wrong with it.
  init(argument: String) { text = argument }

  /// - Throws: `ValidationError` if no app can have this name.
  func check() throws {
    guard AppID.isValid(text) else {
      throw ValidationError(
        "'\(text)' cannot be an app; it is an identifier such as dev.example.Player, which `nightjar apps` shows.")
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isControlButTab: Bool { self != "\t" && properties.generalCategory == .control }
}
