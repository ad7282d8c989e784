import Foundation

/// The program that runs in the terminal, as the bundle names it.
struct HostedProgram {
  /// Its path, or a name to be looked for in `PATH`, and its arguments.
  let command: [String]

  private struct Info: Decodable {
    var NightjarTerminalCommand: [String]?
  }

  /// Whether there is an `Info.plist` beside this program.
  static var isInBundle: Bool { (try? plist.checkResourceIsReachable()) == true }

  private static var bundle: URL {
    get throws {
      URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        .deletingLastPathComponent()
    }
  }

  private static var plist: URL { get throws { try bundle.appendingPathComponent("Info.plist") } }

  /// Reads the `Info.plist` beside this program. A relative path with a slash is meant within the bundle.
  static func ofBundle() throws -> HostedProgram {
    let (bundle, plist) = (try bundle, try plist)
    let command = try PropertyListDecoder().decode(Info.self, from: Data(contentsOf: plist)).NightjarTerminalCommand
    guard var command, let program = command.first, !program.isEmpty else {
      throw TerminalError("\(plist.path) has no NightjarTerminalCommand: the program and its arguments, as an array")
    }
    if program.contains("/"), !program.hasPrefix("/") { command[0] = bundle.appendingPathComponent(program).path }
    return HostedProgram(command: command)
  }
}

/// Why there is no terminal.
struct TerminalError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// What the last system call says.
  static func system(_ deed: String, _ code: CInt = errno) -> TerminalError {
    TerminalError("cannot \(deed): \(String(cString: strerror(code)))")
  }
}
