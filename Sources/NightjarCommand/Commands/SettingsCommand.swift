import ArgumentParser
import NightjarClient
import NightjarWire

/// `nightjar settings`.
struct SettingsCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: "Show or change what apps are allowed: refreshing in the background, notifications.",
    discussion: """
      Such as: nightjar settings dev.example.Player alerts=off sounds=off
      Without an app, background-refresh is the setting for all apps, beside each one's own; alerts, sounds and badges are \
      then changed for each app.
      """)
  @OptionGroup var common: CommonOptions
  @Argument(
    help: ArgumentHelp("An app, and what is to be on or off.", valueName: "app|name=on|off"),
    completion: CompleteCommand.Words.apps.kind)
  var words: [String] = []

  func validate() throws {
    let wish = try SettingsWish(words)
    if let app = wish.parameters.app { try AppName(argument: app).check() }
  }

  func run(in context: Context) async throws {
    let wish = try SettingsWish(words)
    let daemon = try context.connect()
    if wish.changes { _ = try await daemon.call(ControlInterface.ChangeSettings.self, wish.parameters) }
    var reply = try await daemon.call(ControlInterface.ListSettings.self)
    if let app = wish.parameters.app { reply.apps = reply.apps.filter { $0.app == app } }
    if let app = wish.parameters.app, reply.apps.isEmpty {
      throw CommandError(.notFound, "There is no installed app \(app). `nightjar apps` lists those that there are.")
    }
    let lines = [
      "Background App Refresh is \(word(reply.backgroundRefresh)) for all apps."
        + (reply.restricted == true ? " Whoever looks after this machine forbids it all the same." : "")
    ]
    try context.show(reply, orLines: lines + context.lines(of: Self.table(reply.apps), ifEmpty: "No apps."))
  }

  static func table(_ apps: [ControlInterface.Settings]) -> Table {
    var table = Table([
      .init(heading: "APP", columnsMax: 40), .init(heading: "BACKGROUND-REFRESH"), .init(heading: "ALERTS"),
      .init(heading: "SOUNDS"), .init(heading: "BADGES"),
    ])
    for app in apps {
      let cells = [app.backgroundRefresh, app.alerts, app.sounds, app.badges]
      table.append([Table.Cell(app.app)] + cells.map { Table.Cell(word($0), $0 ? .plain : .faint) })
    }
    return table
  }
}

private func word(_ isOn: Bool) -> String { isOn ? "on" : "off" }

/// Settings as a person typed them: an app, if any, and `alerts=off`.
struct SettingsWish {
  /// What can be changed.
  enum Name: String, CaseIterable {
    case backgroundRefresh = "background-refresh"
    case alerts, sounds, badges
  }

  private(set) var parameters = ControlInterface.ChangeSettings.Parameters()
  /// Whether any setting is to be changed.
  private(set) var changes = false

  /// - Throws: `ValidationError` for an unknown name or value.
  init(_ words: [String]) throws {
    for (place, word) in words.enumerated() {
      if place == 0, !word.contains("=") { parameters.app = word } else { try take(word) }
    }
  }

  private mutating func take(_ word: String) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let name = Name(rawValue: parts[0]) else {
      let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("'\(word)' names no setting; there are \(names).")
    }
    guard parts.count == 2, ["on", "off"].contains(parts[1]) else {
      throw ValidationError("'\(word)' cannot be: \(name.rawValue) is on or off, such as \(name.rawValue)=off.")
    }
    let isOn = parts[1] == "on"
    changes = true
    switch name {
    case .backgroundRefresh: parameters.backgroundRefresh = isOn
    case .alerts: parameters.alerts = isOn
    case .sounds: parameters.sounds = isOn
    case .badges: parameters.badges = isOn
    }
  }
}
