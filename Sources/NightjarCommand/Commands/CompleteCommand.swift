import ArgumentParser
import NightjarClient
import NightjarWire

/// `nightjar complete`: gives completion scripts the words that only the daemon knows. Without a daemon there are none.
struct CompleteCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "complete", abstract: "Print words for the shell's completion.", shouldDisplay: false)

  /// What can be completed.
  enum Words: String, ExpressibleByArgument, CaseIterable {
    case apps, transfers
    /// Transfers and apps: the arguments of `nightjar why`.
    case subjects

    /// The way a completion script gets these words.
    var kind: CompletionKind { .shellCommand("nightjar complete \(rawValue) 2>/dev/null") }
  }

  @OptionGroup var common: CommonOptions
  @Argument(help: "Which words: apps, transfers or subjects.") var words: Words

  func run(in context: Context) async throws {
    guard let connection = try? context.connect() else { return }
    if words != .transfers {
      for app in try await connection.call(ControlInterface.ListApps.self).apps {
        context.console.output.line("\(DisplayText(app.id))")
      }
    }
    guard words != .apps else { return }
    let page = try await connection.call(ControlInterface.ListTransfers.self, .init(app: nil, after: nil, limit: 200))
    for transfer in page.transfers { context.console.output.line("\(transfer.id)") }
  }
}
