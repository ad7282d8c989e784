import NightjarCore
import NightjarModel
import NightjarWire
import Synchronization
import Varlink

/// The callers of `Monitor`: each is sent every transfer that has not ended, page by page as fast as it reads, and
/// every change from the start.
final class Monitors: Sendable {
  typealias Call = VarlinkCall<ControlInterface.Monitor.Parameters, ControlInterface.Monitor.Reply>

  private struct State {
    var calls: [UInt64: Call] = [:]
    /// The reason of the standstill; nil if there is none.
    var trouble: String?
  }

  private let clocks: @Sendable () -> Moment
  private let state = Mutex(State())
  private static let pageSize = 200
  /// A page ends early once this many bytes are unsent.
  private static let pageBytesMax = 1 << 20
  /// A reader with this many unsent bytes is disconnected.
  private static let unsentBytesMax = 8 << 20

  init(clocks: @escaping @Sendable () -> Moment) { self.clocks = clocks }

  /// Adds a watcher. It is entered first: if it has hung up already, `onHangUp` fires at once and removes it.
  func add(_ call: Call, _ mailbox: Mailbox) {
    let id = call.connection.id
    state.withLock { state in
      state.calls[id] = call
      if let trouble = state.trouble { send(.init(trouble: trouble), to: [call]) }
    }
    call.onHangUp { [self] in state.withLock { $0.calls[id] = nil } }
    sendPage(after: nil, to: call, mailbox)
  }

  /// Shows what a turn has changed.
  func show(_ turn: Turn, _ supervisor: Supervisor, at moment: Moment) {
    let watchers = self.watchers
    guard !watchers.isEmpty else { return }
    for id in Set(turn.touchedTransfers).sorted() {
      let view = supervisor.view(of: id, at: moment)
      send(view.map { .init(transfer: $0.message) } ?? .init(removed: id.rawValue), to: watchers)
    }
    for id in Set(turn.touchedApps).sorted() {
      let view = supervisor.view(of: id, at: moment)
      send(view.map { .init(app: $0.message) } ?? .init(appRemoved: id.rawValue), to: watchers)
    }
    for id in Set(turn.touchedNotices).sorted() {
      send(
        supervisor.banner(of: id).map { .init(notice: $0.message) } ?? .init(noticeRemoved: id.rawValue), to: watchers)
    }
    for number in Set(turn.touchedDecisions).sorted() {
      if let decision = turn.changes.decisions[number] ?? nil { send(.init(fetch: decision.message), to: watchers) }
    }
    if turn.touchedDevice { send(.init(device: supervisor.device.message), to: watchers) }
  }

  /// Tells present and later watchers of a standstill or, with nil, of its end. This and ``add(_:_:)`` send under one
  /// lock, so that a watcher which is added meanwhile gets the newest state last.
  func tell(trouble: String?) {
    state.withLock { state in
      state.trouble = trouble
      send(.init(trouble: trouble ?? ""), to: Array(state.calls.values))
    }
  }

  private var watchers: [Call] { state.withLock { Array($0.calls.values) } }

  private func send(_ reply: ControlInterface.Monitor.Reply, to watchers: [Call]) {
    for call in watchers {
      guard call.unsentBytes < Self.unsentBytesMax else {
        call.connection.close("the reader of Monitor is too slow")
        continue
      }
      call.reply(reply, continues: true)
    }
  }

  private func sendPage(after: TransferID?, to call: Call, _ mailbox: Mailbox) {
    mailbox.post(
      .look { [self] supervisor in
        let page = supervisor.transfers(after: after, limit: Self.pageSize)
        let sent = send(page, of: supervisor, to: call)
        guard sent.count < page.count || page.count == Self.pageSize else {
          call.reply(.init(current: true), continues: true)
          return
        }
        call.whenWritable { [self] in sendPage(after: sent.last ?? after, to: call, mailbox) }
      })
  }

  /// Sends a page's transfers, from the first on, as far as there is room, and returns the ones dealt with.
  private func send(_ page: [TransferID], of supervisor: Supervisor, to call: Call) -> ArraySlice<TransferID> {
    let moment = clocks()
    for (index, id) in page.enumerated() {
      guard call.unsentBytes < Self.pageBytesMax else { return page[..<index] }
      guard let view = supervisor.view(of: id, at: moment), !view.isOver else { continue }
      call.reply(.init(transfer: view.message), continues: true)
    }
    return page[...]
  }
}
