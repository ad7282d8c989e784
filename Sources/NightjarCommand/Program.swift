import ArgumentParser
import NightjarClient
import NightjarPlatform

/// The program `nightjar`: reads arguments, runs a command, and reports errors in one place.
public enum Program {
  /// Runs one command line, without the program's name.
  ///
  /// - Returns: The exit status of the process; see ``ExitStatus``.
  public static func run(_ arguments: [String], in surroundings: Surroundings) async -> Int32 {
    var status = await outcome(of: arguments, in: surroundings)
    if status == .interrupted { status = surroundings.interruption() }
    return withLosses(status, on: surroundings.console).rawValue
  }

  /// Runs one command line as the kernel hands it over. A name that is not UTF-8 is refused: decoded as far as it goes,
  /// it would be that of another file.
  public static func run(bytes arguments: [[UInt8]], in surroundings: Surroundings) async -> Int32 {
    let texts = arguments.compactMap { String(validating: $0, as: UTF8.self) }
    if texts.count == arguments.count { return await run(texts, in: surroundings) }
    let odd = arguments.first { String(validating: $0, as: UTF8.self) == nil } ?? []
    let words = "'\(String(decoding: odd, as: UTF8.self))' is not UTF-8, as all names have to be; rename the file"
    return tell(words, .usage, surroundings.console).rawValue
  }

  private static func outcome(of arguments: [String], in surroundings: Surroundings) async -> ExitStatus {
    let words = CommandWords(arguments)
    do {
      try checkValues(arguments)
      try words.check()
      let command = try RootCommand.parseAsRoot(arguments)
      if let command = command as? any DaemonCommand {
        try await command.run(in: Context(surroundings, command.common))
      } else {
        var command = command
        try command.run()
      }
      return .done
    } catch {
      return report(error, of: words, to: surroundings.console)
    }
  }

  /// Refuses an option such as `--home=`, as an unset variable leaves it: the parser would take the next argument for
  /// its value.
  private static func checkValues(_ arguments: [String]) throws(CommandError) {
    let typed = arguments.prefix { $0 != "--" }
    guard let option = typed.first(where: \.isOptionWithoutValue) else { return }
    throw CommandError(.usage, "\(option) has nothing after its equals sign; give it a value, or leave it out.")
  }

  /// A result that was not written counts as a failure, which is not reported if the reader closed its end of the pipe.
  private static func withLosses(_ status: ExitStatus, on console: Console) -> ExitStatus {
    guard let failure = console.output.failure() else { return status }
    if !failure.isOfReader { console.errors.line("nightjar: cannot write to the standard output: \(failure.words)") }
    return status == .done ? .failed : status
  }

  private static func report(_ error: any Error, of words: CommandWords, to console: Console) -> ExitStatus {
    switch error {
    case let error as CommandError: tell(error.message, error.status, console)
    case let error as ClientError: tell(error.detail, ExitStatus(error), console)
    case let error as PlatformError: tell(error.detail, error.isOfBundle ? .usage : .failed, console)
    case is CancellationError: .interrupted
    default: reportParsing(error, of: words, to: console)
    }
  }

  private static func tell(_ message: String, _ status: ExitStatus, _ console: Console) -> ExitStatus {
    if !message.isEmpty { console.errors.line("nightjar: \(DisplayText(message))") }
    return status
  }

  /// Help, the version and completions come as errors, too.
  private static func reportParsing(_ error: any Error, of words: CommandWords, to console: Console) -> ExitStatus {
    let message = RootCommand.fullMessage(for: error, columns: console.outputColumns)
    switch RootCommand.exitCode(for: error) {
    case .success:
      console.output.line(CompletionScript.completed(message))
      return .done
    case .validationFailure:
      console.errors.line(DisplayText(lines: message).description)
      if let hint = words.hint { console.errors.line("\(DisplayText(hint))") }
      return .usage
    default:
      return tell(message, .failed, console)
    }
  }
}

extension String {
  /// Whether it is a long option with an equals sign and nothing after it. No value begins with two hyphens.
  fileprivate var isOptionWithoutValue: Bool { hasPrefix("--") && last == "=" && !dropLast().contains("=") }
}

extension PlatformError {
  /// Whether the given bundle cannot be used.
  fileprivate var isOfBundle: Bool {
    if case .badBundle = code { true } else { false }
  }
}
