import ArgumentParser
import NightjarClient
import NightjarWire

/// `nightjar apps`.
struct AppsCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "apps", abstract: "List the installed apps and the programs that registered themselves.")
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws {
    let reply = try await context.connect().call(ControlInterface.ListApps.self)
    try context.show(reply, orLines: context.lines(of: Self.table(reply.apps), ifEmpty: "No apps."))
  }

  static func table(_ apps: [ControlInterface.App]) -> Table {
    var table = Table([
      .init(heading: "APP", columnsMax: 40), .init(heading: "NAME", columnsMax: 24), .init(heading: "STATE"),
      .init(heading: "PID", side: .right), .init(heading: "TRANSFERS", side: .right),
      .init(heading: "WAITING", side: .right), .init(heading: "BADGE", side: .right),
      .init(heading: "WHY", mayMoveBelow: true),
    ])
    for app in apps {
      table.append([
        Table.Cell(app.id), Table.Cell(app.name),
        Table.Cell(app.state.rawValue, app.state == .notRunning ? .faint : .plain),
        Table.Cell(app.pid.map { "\($0)" } ?? "-"), Table.Cell("\(app.transfers)"), Table.Cell("\(app.waiting)"),
        Table.Cell(app.badge.map { "\($0)" } ?? "-"),
        Table.Cell(app.verdict ?? "-"),
      ])
    }
    return table
  }
}

/// `nightjar uninstall`.
struct UninstallCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall", abstract: "End an app, cancel its transfers, and remove it with its container.")
  @OptionGroup var common: CommonOptions
  @Argument(help: "The app's identifier.") var app: AppName

  func validate() throws { try app.check() }

  func run(in context: Context) async throws {
    _ = try await context.connect().call(ControlInterface.Uninstall.self, .init(app: app.text))
    try context.show(["uninstalled": app.text], orLines: ["Uninstalled \(app.text)."])
  }
}

/// `nightjar launch`.
struct LaunchCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "launch", abstract: "Launch an app into the foreground, or bring it there.",
    discussion: """
      What follows -- is given to the app when it starts. An app that runs already cannot be given anything: then nothing \
      is done, and the exit code is 5.
      """)
  @OptionGroup var common: CommonOptions
  @Flag(help: "Launch it into the background, to refresh its content; it must not run yet.") var backgroundFetch = false
  @Argument(help: "The app's identifier.") var app: AppName
  @Argument(parsing: .postTerminator, help: ArgumentHelp("What the app is given.", valueName: "arguments"))
  var arguments: [String] = []

  func validate() throws {
    try app.check()
    if backgroundFetch, !arguments.isEmpty {
      throw ValidationError("An app that is launched to refresh its content is given no arguments.")
    }
  }

  func run(in context: Context) async throws {
    struct Launched: Encodable { var app: String, pid: Int64 }
    let daemon = try context.connect()
    if !arguments.isEmpty { try await check(daemon) }
    let reply = try await daemon.call(
      ControlInterface.Launch.self,
      .init(app: app.text, arguments: arguments, backgroundFetch: backgroundFetch ? true : nil))
    try context.show(
      Launched(app: app.text, pid: reply.pid), orLines: ["\(app.text) runs as process \(reply.pid)."])
  }

  /// - Throws: `CommandError` if the app would never see its arguments because it runs. An app that is ending is
  ///   launched again, and sees them.
  private func check(_ daemon: DaemonConnection) async throws {
    let apps = try await daemon.call(ControlInterface.ListApps.self).apps
    guard let found = apps.first(where: { $0.id == app.text }), ![.notRunning, .ending].contains(found.state) else {
      return
    }
    let process = found.pid.map { " as process \($0)" } ?? ""
    throw CommandError(
      .refused,
      "\(app.text) runs already\(process), and takes what follows -- only when it starts; nothing was done. "
        + "End it first: nightjar terminate \(app.text)")
  }
}

/// `nightjar leave`.
struct LeaveCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave",
    abstract: "Leave the app in the foreground, as the home button does: it finishes what it is at, and is suspended.")
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws {
    let left = try await context.connect().call(ControlInterface.Leave.self).app
    let line = left.map { "\($0) has left the foreground." } ?? "No app is in the foreground."
    try context.show(["left": left], orLines: [line])
  }
}

/// `nightjar terminate`.
struct TerminateCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "terminate", abstract: "End a running app; it is killed if it does not go within 5 seconds.",
    discussion: "This command waits until the app has ended. Ctrl-C ends the waiting; the app ends all the same.")
  @OptionGroup var common: CommonOptions
  @Argument(help: "The app's identifier.") var app: AppName

  func validate() throws { try app.check() }

  func run(in context: Context) async throws {
    let daemon = try context.connect()
    let apps = try await daemon.call(ControlInterface.ListApps.self).apps
    _ = try await daemon.call(ControlInterface.Terminate.self, .init(app: app.text))
    // An app without a process has no life to wait for.
    let life = apps.first { $0.id == app.text }?.first.map { AppLife(app: app.text, pid: $0, context: context) }
    guard try await context.surroundings.untilInterrupted({ try await life?.end() ?? .unseen }) != nil else {
      throw CommandError(
        .interrupted, "\(app.text) was told to end, and is killed if it has not gone within 5 seconds.")
    }
    try context.show(["terminated": app.text], orLines: ["Ended \(app.text)."])
  }
}
