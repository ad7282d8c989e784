import ArgumentParser
import NightjarClient
import NightjarWire

/// `nightjar view`.
struct ViewCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "view", abstract: "Print what an app shows, as HTML.",
    discussion: """
      The HTML is the app's own: open it in a sandbox, as the home screen does. On a terminal control characters are shown, \
      not acted on. Exit code 4 if there is none, or none to be seen while the device is locked.
      """)
  @OptionGroup var common: CommonOptions
  @Argument(help: "The app's identifier.") var app: AppName
  @Flag(help: "What it showed when it was left, or when background work ended.") var snapshot = false

  func validate() throws { try app.check() }

  func run(in context: Context) async throws {
    let daemon = try context.connect()
    if snapshot { return try await showSnapshot(daemon, context) }
    let view = try await daemon.call(ControlInterface.ShowView.self, .init(app: app.text))
    guard let html = view.html else {
      guard view.hidden != true else {
        throw CommandError(.notFound, "What \(app.text) shows is hidden while the device is locked.")
      }
      throw CommandError(.notFound, "\(app.text) shows nothing just now\(try await wayToSnapshot(daemon))")
    }
    try context.show(view, orLines: context.lines(ofOthers: html))
  }

  /// The end of a sentence: how to see the app's snapshot, if there is one to see.
  private func wayToSnapshot(_ daemon: DaemonConnection) async throws -> String {
    let snapshot = try await daemon.call(ControlInterface.ShowSnapshot.self, .init(app: app.text))
    return snapshot.html == nil ? "." : "; its snapshot: nightjar view --snapshot \(app.text)"
  }

  private func showSnapshot(_ daemon: DaemonConnection, _ context: Context) async throws {
    let view = try await daemon.call(ControlInterface.ShowSnapshot.self, .init(app: app.text))
    guard let html = view.html else {
      let why =
        view.hidden ? "is hidden while the device is locked" : "is not there: it was not left yet, or shows nothing"
      throw CommandError(.notFound, "The snapshot of \(app.text) \(why).")
    }
    try context.show(view, orLines: context.lines(ofOthers: html))
  }
}

/// `nightjar act`.
struct ActCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "act", abstract: "Do in an app's view what a person could do there.",
    discussion: "Such as: nightjar act com.example.Shop add item=apple count=3")
  @OptionGroup var common: CommonOptions
  @Argument(help: "The app's identifier.") var app: AppName
  @Argument(help: "The action's name, as the view has it in a data-action attribute.") var action: String
  @Argument(help: ArgumentHelp("What is filled in.", valueName: "field=value")) var fields: [String] = []

  func validate() throws {
    try app.check()
    _ = try filledIn()
  }

  func run(in context: Context) async throws {
    let parameters = ControlInterface.Act.Parameters(app: app.text, action: action, fields: try filledIn())
    _ = try await context.connect().call(ControlInterface.Act.self, parameters)
    try context.show(["app": app.text, "action": action], orLines: ["Told \(app.text)."])
  }

  private func filledIn() throws -> [String: String] {
    var found: [String: String] = [:]
    for field in fields {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw ValidationError("'\(field)' is not field=value.")
      }
      found[parts[0]] = parts[1]
    }
    return found
  }
}
