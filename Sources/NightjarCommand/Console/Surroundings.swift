import FoundationEssentials
import Glibc
import NightjarModel
import NightjarPlatform

/// Everything from outside that a command uses. Tests make their own.
public struct Surroundings: Sendable {
  /// Where it writes.
  public var console: Console
  /// The environment's variables.
  public var environment: [String: String]
  /// The absolute path of the folder it works in; nil where that has been removed.
  public var folder: String?
  /// The path of this program, links resolved; nil where that is not known.
  public var program: String?
  /// The `nightjard` beside this program, if there is one.
  public var daemonProgram: String?
  /// The time for back-off and rates.
  public var time: Timepiece
  /// Random numbers, for the keys of requests.
  public var entropy: @Sendable () -> UInt64
  /// Asks for a password with this prompt, without showing it.
  public var password: @Sendable (_ prompt: String) -> PasswordAnswer
  /// Returns when a person presses Ctrl-C, or the command is asked to end by a signal.
  public var interrupted: @Sendable () async -> Void
  /// The exit status after that.
  public var interruption: @Sendable () -> ExitStatus

  /// Surroundings made up of these.
  public init(
    console: Console, environment: [String: String], folder: String?, daemonProgram: String?, program: String? = nil,
    time: Timepiece, entropy: @escaping @Sendable () -> UInt64,
    password: @escaping @Sendable (_ prompt: String) -> PasswordAnswer = { _ in .noTerminal },
    interrupted: @escaping @Sendable () async -> Void,
    interruption: @escaping @Sendable () -> ExitStatus = { .interrupted }
  ) {
    (self.console, self.environment, self.folder, self.daemonProgram) = (console, environment, folder, daemonProgram)
    (self.program, self.time, self.entropy, self.interrupted) = (program, time, entropy, interrupted)
    (self.password, self.interruption) = (password, interruption)
  }

  /// The surroundings of this process.
  public static func ofThisProcess() -> Surroundings {
    StandardDescriptors.fill()
    let environment = ProcessInfo.processInfo.environment
    return Surroundings(
      console: .ofThisProcess(environment: environment), environment: environment,
      folder: workingFolder, daemonProgram: siblingDaemon(), program: ownPath,
      time: .ofThisMachine(), entropy: { UInt64.random(in: .min ... .max) },
      password: { PasswordPrompt.ask($0) }, interrupted: { await Interrupts.next() },
      interruption: { Interrupts.status })
  }

  /// An absolute path for what a person named, relative to the working folder, without `.` and `..`.
  ///
  /// - Throws: `CommandError` if the path is relative and the working folder is no more.
  func absolute(_ path: String) throws(CommandError) -> String {
    Disk.absolute(path, from: path.hasPrefix("/") ? "/" : try standing())
  }

  private func standing() throws(CommandError) -> String {
    guard let folder else {
      throw CommandError(.usage, "This folder is no more, or its path is not UTF-8; go to another (cd).")
    }
    return folder
  }

  /// Nil for a folder that was removed, or whose path is not UTF-8.
  private static var workingFolder: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(validatingCString: path).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  private static var ownPath: String? { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") }

  private static func siblingDaemon() -> String? {
    guard let program = ownPath, let slash = program.lastIndex(of: "/") else { return nil }
    let sibling = program[...slash] + "nightjard"
    return access(String(sibling), X_OK) == 0 ? String(sibling) : nil
  }
}
