import ArgumentParser
import FoundationEssentials
import NightjarHome
import NightjarPlatform

/// `nightjar home`.
struct HomeCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "home", abstract: "Serve the home screen for a browser on this machine, until Ctrl-C.",
    discussion: """
      Apps, their views and the switcher, transfers, notifications, the device's conditions, settings. It listens on
      127.0.0.1 only. What lets a browser in is a file that only you can read, or a code to be typed; each is good once, \
      and there is always a next one.
      """)
  @OptionGroup var common: CommonOptions
  @Option(help: ArgumentHelp("The port of 127.0.0.1; else any that is free.", valueName: "number")) var port = 0
  @Flag(help: "Do not open it on the desktop.") var noOpen = false

  func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("--port is \(port); it must be 0 to 65535.") }
  }

  func run(in context: Context) async throws {
    _ = try await DaemonStarter(context: context).connection()
    let (time, desktop) = (context.surroundings.time, noOpen ? nil : Desktop(context.surroundings.environment))
    let screen = HomeScreen(
      socket: context.home.socket, icon: Self.icon, now: time.now, pause: time.sleep,
      entropy: context.surroundings.entropy)
    do {
      _ = try await context.surroundings.untilInterrupted { [port] in
        try await screen.run(port: port) { entrance in context.show(entrance, on: desktop) }
      }
    } catch let error as HomeError {
      throw CommandError(error.code == .portTaken ? .refused : .failed, error.detail)
    }
    throw CommandError.silent(.interrupted)
  }

  private static let iconBytesMax = 1 << 20

  @Sendable private static func icon(_ bundle: String) -> [UInt8]? {
    guard let path = try? AppBundle(at: bundle).icon,
      let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int, size <= iconBytesMax
    else { return nil }
    return FileManager.default.contents(atPath: path).map(Array.init)
  }
}

extension Context {
  /// Tells a person how to come in; the first time also the desktop.
  fileprivate func show(_ entrance: HomeScreen.Entrance, on desktop: Desktop?) {
    struct Document: Encodable { var address, file, code: String }
    let document = Document(address: entrance.address, file: entrance.file, code: entrance.code)
    if wantsJSON, let line = try? JSONDocument.line(document) {
      console.output.line(line)
    } else if entrance.isFirst {
      let facts = [("open", "file://\(entrance.file)"), ("or", "\(entrance.address) and type \(entrance.code)")]
      for line in FactSheet.lines(facts) { console.output.line(line) }
    } else {
      console.output.line("For one more browser: the same file, or type \(entrance.code)")
    }
    if entrance.isFirst { desktop?.open(entrance.file) }
  }
}
