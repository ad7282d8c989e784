import ArgumentParser
import NightjarClient
import NightjarPlatform
import NightjarWire

/// `nightjar run`.
struct RunCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Build an app from a Swift package, install and launch it, and show what it writes.",
    discussion: """
      Ends with the app: with 0 when the app ended in order, with 1 when it crashed or exited otherwise. Ctrl-C ends the \
      watching, not the app. The daemon is started if none runs.
      """)
  @OptionGroup var common: CommonOptions
  @Argument(help: "The executable product; may be left out where there is only one.") var product: String?
  @OptionGroup var bundling: BundlingOptions
  @Argument(parsing: .postTerminator, help: ArgumentHelp("What the app is given.", valueName: "arguments"))
  var arguments: [String] = []

  func validate() throws { try bundling.check() }

  func run(in context: Context) async throws {
    _ = try context.home  // Without one nothing need be built.
    let bundle = try await bundling.bundle(product, in: context)
    let (daemon, _) = try await DaemonStarter(context: context).connection()
    let app = try await daemon.call(ControlInterface.Install.self, .init(path: bundle.path)).app
    let log = try AppOutput(from: try await daemon.call(ControlInterface.LogPath.self, .init(app: app.id)).path)
    let pid = try await daemon.call(ControlInterface.Launch.self, .init(app: app.id, arguments: arguments)).pid
    context.notice("\(app.id) runs as process \(pid). Ctrl-C leaves it running.")
    let life = AppLife(app: app.id, pid: pid, context: context)
    guard let end = try await context.surroundings.untilInterrupted({ try await log.follow(life, context) }) else {
      context.notice(
        "\(app.id) goes on as process \(pid). See it: nightjar log -f \(app.id). End it: nightjar terminate \(app.id)")
      throw CommandError.silent(.interrupted)
    }
    try report(end, of: app.id, context)
  }

  private func report(_ end: AppLife.End, of app: String, _ context: Context) throws {
    guard end.isCrash else { return context.notice("\(app) \(end.words).") }
    throw CommandError(.failed, "\(app) \(end.words).")
  }
}
