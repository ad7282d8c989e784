public import NightjarModel
import Synchronization

/// Shows notifications on the desktop, by the Desktop Notifications Specification, if there is a desktop.
///
/// What cannot be shown waits for a desktop to come. What the desktop was given is written down, so that the next
/// daemon knows what a click is about, and shows nothing twice, except what was being handed over when the daemon was
/// killed.
///
/// `@unchecked Sendable`, since it is only touched on the lookout's thread, but for its beginning and its orders, which
/// a lock guards.
public final class DesktopNotices: @unchecked Sendable {
  private let lookout: Lookout
  private let path: String
  private let look: @Sendable (Banner) -> DesktopLook
  private let report: @Sendable (DesktopFact) -> Void
  /// What was asked for and is not done yet. All of it is one piece of work for the lookout, which takes only so many
  /// pieces: apps may have thousands of notifications fired at once.
  private let orders = Mutex<[Order]>([])
  private var sentence: String?
  private var line: BusLine?
  private var service: DesktopService?
  private var capabilities = DesktopNotice.Capabilities()
  private var board: DesktopBoard
  private var written: [DesktopRecord]

  private typealias Order = @Sendable (DesktopNotices) -> Void

  /// Prepares to show notifications. The desktop is looked for from ``start(_:)`` on.
  ///
  /// - Parameters:
  ///   - record: The file of what the desktop was given.
  ///   - look: What a notification looks like; called on the lookout's thread.
  ///   - report: Told what becomes of notifications, on the lookout's thread.
  public init(
    lookout: Lookout, record: String, look: @escaping @Sendable (Banner) -> DesktopLook,
    report: @escaping @Sendable (DesktopFact) -> Void
  ) {
    (self.lookout, path, self.look, self.report) = (lookout, record, look, report)
    written = DesktopRecord.all(in: record)
    board = DesktopBoard(written)
  }

  /// Looks for the desktop, from now on.
  public func start(_ settings: DesktopSettings) {
    guard settings.isUsed else { return }
    lookout.perform { [weak self] in self?.begin(settings.busAddress) }
  }

  /// Shows a notification, now or as soon as there is a desktop.
  public func show(_ banner: Banner) {
    give { notices in
      notices.perform(notices.board.show(banner))
      if notices.board.isWaiting { notices.service?.start() }
    }
  }

  /// Takes a notification off the desktop.
  public func retract(_ id: NoticeID) {
    give { notices in notices.perform(notices.board.retract(id)) }
  }

  /// Goes on where an earlier daemon was: `seen` were shown before and still lie in the notification centre, `unseen`
  /// are about to be shown, and anything else is closed.
  public func restore(seen: [Banner], unseen: [NoticeID]) {
    give { notices in notices.perform(notices.board.restore(seen: seen, unseen: unseen)) }
  }

  private func give(_ order: @escaping Order) {
    let isFirst = orders.withLock { orders in
      orders.append(order)
      return orders.count == 1
    }
    if isFirst { lookout.perform { [weak self] in self?.follow() } }
  }

  /// Follows all orders that wait, on the lookout's thread.
  private func follow() {
    let waiting = orders.withLock { orders in
      defer { orders = [] }
      return orders
    }
    for order in waiting { order(self) }
  }

  private func begin(_ address: String?) {
    guard let address else {
      return lack("neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR says where the session bus is")
    }
    line = BusLine(
      to: .session, at: address, lookout: lookout, gained: { [weak self] in self?.use($0) },
      lost: { [weak self] in self?.lose($0) })
    line?.begin()
  }

  private func use(_ bus: BusConnection) {
    let service = DesktopService(on: bus) { [weak self] in self?.hear($0) }
    self.service = service
    service.follow()
  }

  private func lose(_ reason: String) {
    service = nil
    perform(board.serverWent())
    lack(reason)
  }

  private func hear(_ fact: DesktopService.Fact) {
    switch fact {
    case .came(let server, let capabilities):
      self.capabilities = capabilities
      lack(nil)
      perform(board.serverCame(server, isPersistent: capabilities.isPersistent))
    case .left: perform(board.serverWent())
    case .went(let canStart):
      lack(canStart ? nil : "no notification service is on the session bus")
      if canStart, board.isWaiting { service?.start() }
    case .startFailed(let reason): lack("its notification service does not start: \(reason)")
    case .tapped(let number): perform(board.tapped(number))
    case .closed(let number, let reason): perform(board.closed(number, reason: reason))
    }
  }

  /// Carries out the board's deeds, after writing down what the desktop has.
  private func perform(_ deeds: [DesktopBoard.Deed]) {
    write()
    for deed in deeds {
      switch deed {
      case .notify(let banner, let number, let isQuiet, let attempt):
        notify(banner, replacing: number, isQuiet: isQuiet, attempt)
      case .close(let number): service?.close(number)
      case .report(let fact): report(fact)
      }
    }
  }

  private func notify(_ banner: Banner, replacing number: UInt32, isQuiet: Bool, _ attempt: Int) {
    service?.learn { [weak self] in
      guard let self else { return }
      let notice = DesktopNotice(banner, self.look(banner), for: self.capabilities, isQuiet: isQuiet)
      self.service?.notify(notice, replacing: number) { [weak self] in self?.hear($0, of: attempt) }
    }
  }

  private func hear(_ answer: Result<UInt32, DesktopTrouble>, of attempt: Int) {
    switch answer {
    case .success: lack(nil)
    case .failure(.refused(let reason)): lack("its notification service refused one: \(reason)")
    }
    perform(board.answered(attempt, try? answer.get()))
  }

  private func write() {
    let records = board.records
    guard records != written, (try? DesktopRecord.write(records, to: path)) != nil else { return }
    written = records
  }

  private func lack(_ reason: String?) {
    let words = "Notifications are not shown on a desktop, only in the notification centre (nightjar notifications)"
    let sentence = reason.map { "\(words): \($0)." }
    guard sentence != self.sentence else { return }
    self.sentence = sentence
    report(.lacking(sentence))
  }
}
