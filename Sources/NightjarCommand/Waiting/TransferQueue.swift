import NightjarClient
import NightjarModel
import NightjarWire

/// Hands transfers to the daemon and, unless told otherwise, waits until the last one has ended.
struct TransferQueue: Sendable {
  /// A transfer to queue. Its key makes a retry safe.
  enum Order: Sendable {
    case download(ControlInterface.Download.Parameters)
    case upload(ControlInterface.Upload.Parameters)
  }

  let context: Context
  let waits: Bool
  let startsDaemon: Bool
  private let board: ProgressBoard

  init(context: Context, options: QueueingOptions) {
    self.context = context
    (waits, startsDaemon) = (!options.returnsAtOnce, !options.leavesDaemonAlone)
    board = ProgressBoard(context.surroundings, wantsBars: waits)
  }

  /// Queues and waits. With JSON output, what was queued by then is shown even if this throws.
  ///
  /// - Throws: `CommandError` with `failed` if a transfer did not succeed, with `interrupted` after Ctrl-C.
  func run(_ orders: [Order]) async throws {
    defer { board.clear() }
    let ended: [ControlInterface.Transfer]?
    do {
      ended = try await context.surroundings.untilInterrupted(tick: look) { try await queueAndWait(orders) }
    } catch {
      board.clear()
      if !board.transfers.isEmpty { try show(board.transfers) }
      throw error
    }
    board.clear()
    try show(ended ?? board.transfers)
    guard let ended else { throw detachment(from: board.transfers, of: orders.count) }
    if waits, !ended.allSatisfy(\.isGood) { throw CommandError.silent(.failed) }
  }

  private func look() {
    board.redraw()
    if waits { board.noticeQueued() }
  }

  private func show(_ transfers: [ControlInterface.Transfer]) throws {
    if context.wantsJSON { try context.show(["transfers": transfers], orLines: []) }
  }

  private func queueAndWait(_ orders: [Order]) async throws -> [ControlInterface.Transfer] {
    var (connection, started) = try await daemon()
    var accepted: [ControlInterface.Transfer] = []
    for order in orders {
      let id = try await accept(order, over: &connection, of: started, after: accepted)
      accepted.append(order.transfer(id))
      board.show(accepted, isImportant: true)
      if !context.wantsJSON { board.say(accepted[accepted.count - 1].startLine) }
    }
    guard waits else { return accepted }
    let follower = Follower(context: context, board: board, started: started) { change in
      switch change {
      case .nothing, .progressed: break
      // Without a bar, a notice says why it stands still.
      case .changed(let transfer): if !board.isLive, transfer.isHeldUp { board.notice(transfer.stateLine) }
      case .ended(let transfer): if !context.wantsJSON { board.say(transfer.endLine) }
      }
    }
    return try await follower.follow(Vigil(accepted), over: connection).transfers
  }

  private func daemon() async throws -> (DaemonConnection, StartedDaemon?) {
    guard startsDaemon else { return (try context.connect(), nil) }
    return try await DaemonStarter(context: context).connection()
  }

  /// Asks with the same key until the daemon has answered.
  private func accept(
    _ order: Order, over connection: inout DaemonConnection, of started: StartedDaemon?,
    after accepted: [ControlInterface.Transfer]
  ) async throws -> Int64 {
    do {
      return try await Persistence(context: context, board: board, started: started).insist(over: &connection) {
        switch order {
        case .download(let parameters): try await $0.call(ControlInterface.Download.self, parameters).id
        case .upload(let parameters): try await $0.call(ControlInterface.Upload.self, parameters).id
        }
      }
    } catch let error as ClientError where !accepted.isEmpty {
      throw CommandError(
        ExitStatus(error), "\(error.detail) The transfers queued before it go on: \(Self.numbers(accepted)).")
    }
  }

  private func detachment(from transfers: [ControlInterface.Transfer], of count: Int) -> CommandError {
    let open = transfers.filter { !$0.state.isEnd }
    guard transfers.count == count else {
      let queued = open.isEmpty ? "" : " Queued; \(future): \(Self.numbers(open))."
      return CommandError(
        .interrupted,
        "Interrupted before the daemon had accepted everything.\(queued) "
          + "`nightjar transfers` shows what it has.")
    }
    guard !open.isEmpty else { return .silent(.interrupted) }
    return CommandError(
      .interrupted,
      "Detached; \(future): \(Self.numbers(open)). "
        + "Watch with `nightjar transfers watch`, end with `nightjar transfers cancel \(Self.numbers(open))`.")
  }

  /// What becomes of the transfers that are named next. A stopped daemon has its socket all the same.
  private var future: String {
    if let stopped = (try? context.home)?.stoppedProcess(listener: present?.listener) {
      return "the daemon is stopped, and after `kill -CONT \(stopped)` goes on with"
    }
    return present == nil ? "the daemon has gone, and the next one goes on with" : "going on without you"
  }

  /// A new connection to the daemon; nil if it is away.
  private var present: DaemonConnection? { try? context.connect() }

  private static func numbers(_ transfers: [ControlInterface.Transfer]) -> String {
    transfers.map { "\($0.id)" }.joined(separator: " ")
  }
}

extension TransferQueue.Order {
  /// The transfer as shown until the daemon reports it.
  func transfer(_ id: Int64) -> ControlInterface.Transfer {
    let app = AppID.commandLine.rawValue
    return switch self {
    case .download(let order):
      ControlInterface.Transfer(
        id: id, app: app, direction: .download, url: order.url.withoutCredentials, label: "", state: .queued, count: 0,
        attempts: 0,
        destination: order.destination, verdict: "")
    case .upload(let order):
      ControlInterface.Transfer(
        id: id, app: app, direction: .upload, url: order.url.withoutCredentials, label: "", state: .queued, count: 0,
        attempts: 0,
        file: order.file, verdict: "")
    }
  }
}
