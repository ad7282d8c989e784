import ArgumentParser
import FoundationEssentials
import NightjarHome
import NightjarPlatform

/// `nightjar home`.
struct HomeCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "home", abstract: "Serve the home screen for a browser on this machine, until Ctrl-C.",
    discussion: """
      Apps, their views and the switcher, transfers, notifications, the device's conditions, settings. It listens on \
      127.0.0.1 only. What lets a browser in is a file that only you can read, or a code to be typed. Each code is \
      good once and for ten minutes, and there is always a next one: the file has it at any time, and it is shown here \
      when one was used, or another was tried than the one that is good. With --json each is a line as soon as it is good.
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
      socket: try context.home.socket, icon: Self.icon, now: time.now, pause: time.sleep,
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
  /// Tells a person how to enter the home screen; the first time it also opens it on the desktop.
  ///
  /// A routine new code is reported to programs only: the file has it, and a line every ten minutes would bury all
  /// others. If the file could not be written, people are told the code too, since nothing else would let a browser in.
  fileprivate func show(_ entrance: HomeScreen.Entrance, on desktop: Desktop?) {
    struct Document: Encodable {
      var address, file, code: String
      var trouble: String?
    }
    let document = Document(
      address: entrance.address, file: entrance.file, code: entrance.code, trouble: entrance.trouble?.detail)
    if let trouble = entrance.trouble { notice("\(trouble.detail) It is tried again with the next code.") }
    if wantsJSON, let line = try? JSONDocument.line(document) {
      console.output.line(line)
    } else {
      for line in entrance.lines { console.output.line(line) }
    }
    if entrance.occasion == .opened { desktop?.open(entrance.file) }
  }
}

extension HomeScreen.Entrance {
  /// The lines for a person.
  fileprivate var lines: [String] {
    if trouble != nil { return ["To let a browser in: type \(code) within ten minutes at \(address)"] }
    return switch occasion {
    case .opened:
      FactSheet.lines([
        ("open", URL(filePath: file).absoluteString), ("or", "\(address) and type \(code) within ten minutes"),
      ])
    case .wanted: ["To let a browser in: the same file, or type \(code) within ten minutes"]
    case .renewed: []
    }
  }
}
