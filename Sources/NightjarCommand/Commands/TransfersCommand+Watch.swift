import ArgumentParser
import NightjarClient
import NightjarWire

extension TransfersCommand {
  /// `nightjar transfers watch`.
  struct Watch: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "watch", abstract: "Show transfers as they go on, until Ctrl-C.",
      discussion: "With --json every message of the daemon's Monitor stream is one line.")
    @OptionGroup var common: CommonOptions
    @Option(help: ArgumentHelp("Only those of one app.", valueName: "identifier")) var app: AppName?

    func validate() throws { try app?.check() }

    func run(in context: Context) async throws {
      let connection = try context.connect()
      let (board, app) = (ProgressBoard(context.surroundings, wantsBars: !context.wantsJSON), app?.text)
      _ = try await context.surroundings.untilInterrupted(tick: board.redraw) {
        let follower = context.wantsJSON ? Self.printer(context, board, app) : Self.teller(context, board)
        return try await follower.follow(Vigil(scope: app.map { .app($0) } ?? .all), over: connection)
      }
      board.clear()
      throw CommandError.silent(.interrupted)
    }

    /// A follower that prints changes as lines for people.
    private static func teller(_ context: Context, _ board: ProgressBoard) -> Follower {
      Follower(context: context, board: board) { change in
        switch change {
        case .nothing, .progressed: break
        case .changed(let transfer): if !board.isLive { board.say(transfer.stateLine) }
        case .ended(let transfer): board.say(transfer.endLine)
        }
        try context.console.checkOutput()
      }
    }

    /// A follower that prints messages, one JSON line each.
    private static func printer(_ context: Context, _ board: ProgressBoard, _ app: String?) -> Follower {
      var scope = app.map { Scope(app: $0) }
      return Follower(
        context: context, board: board,
        heard: { reply in
          guard scope?.takesIn(reply) ?? true else { return }
          context.console.output.line(try JSONDocument.line(reply))
          try context.console.checkOutput()
        }, changed: { _ in })
    }
  }
}

/// The messages about one app. That a transfer is removed names no app: it is left out if the transfer was told of as
/// another's.
private struct Scope {
  private let app: String
  private var others: Set<Int64> = []

  init(app: String) { self.app = app }

  mutating func takesIn(_ reply: ControlInterface.Monitor.Reply) -> Bool {
    if let removed = reply.removed { return others.remove(removed) == nil }
    let isOurs = reply.owner ?? app == app
    if !isOurs, let transfer = reply.transfer { others.insert(transfer.id) }
    return isOurs
  }
}

extension ControlInterface.Monitor.Reply {
  /// The app that it is about; nil if it names none.
  fileprivate var owner: String? { transfer?.app ?? app?.id ?? notice?.app ?? fetch?.app ?? appRemoved }
}

/// `nightjar why`.
struct WhyCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Tell what a transfer does or waits for, or why an app runs or does not, the most important first.")
  @OptionGroup var common: CommonOptions
  @Argument(help: "The transfer's number, or the app's identifier.", completion: CompleteCommand.Words.subjects.kind)
  var subject: AppName

  /// The subject as the number of a transfer; nil if it is no number.
  private var transfer: TransferNumber? {
    subject.text.allSatisfy(\.isNumber) ? TransferNumber(argument: subject.text) : nil
  }

  func validate() throws {
    if let transfer { try transfer.check() } else { try subject.check() }
  }

  func run(in context: Context) async throws {
    let daemon = try context.connect()
    if let transfer, let reply = try await reply(of: transfer, daemon) {
      return try context.show(reply, orLines: Self.lines(reply.sentences))
    }
    let reply = try await replyOfApp(daemon)
    try context.show(reply, orLines: Self.lines(reply.sentences))
  }

  /// The answer about a transfer; nil if there is none: an app's identifier may be a number, too.
  private func reply(
    of transfer: TransferNumber, _ daemon: DaemonConnection
  ) async throws -> ControlInterface.Why.Reply? {
    do {
      return try await daemon.call(ControlInterface.Why.self, .init(id: transfer.id))
    } catch {
      guard error.failure is ControlInterface.NoSuchTransfer else { throw error }
      return nil
    }
  }

  private func replyOfApp(_ daemon: DaemonConnection) async throws -> ControlInterface.WhyApp.Reply {
    do {
      return try await daemon.call(ControlInterface.WhyApp.self, .init(app: subject.text))
    } catch {
      // If there is no such app either, the number was meant for a transfer.
      guard let transfer, error.failure is ControlInterface.NoSuchApp else { throw error }
      throw CommandError(.notFound, ControlInterface.NoSuchTransfer(id: transfer.id).explanation)
    }
  }

  private static func lines(_ sentences: [String]) -> [String] { sentences.map { DisplayText($0).description } }
}
