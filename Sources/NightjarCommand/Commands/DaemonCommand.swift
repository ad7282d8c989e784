import ArgumentParser

/// A command that asks the daemon something.
protocol DaemonCommand: ParsableCommand {
  /// The options of every command.
  var common: CommonOptions { get }
  /// Does it.
  func run(in context: Context) async throws
}

/// The options of every command.
struct CommonOptions: ParsableArguments {
  @Flag(name: .long, help: "Print JSON: one document, or one line for each event.")
  var json = false

  @Option(
    name: .long,
    help: ArgumentHelp("The folder that holds everything of one daemon (like NIGHTJAR_HOME).", valueName: "folder"),
    completion: .directory)
  var home: String?

  func validate() throws {
    // It may be an unset variable: any folder would become a home, and could be purged as one.
    if home == "" { throw ValidationError("--home is empty; name a folder, or leave it out.") }
  }
}
