import Glibc

/// The desktop's notification service (`org.freedesktop.Notifications`) on one connection to the session bus, followed
/// as it comes, goes or is replaced.
///
/// `@unchecked Sendable`, since it is only touched on the lookout's thread.
final class DesktopService: @unchecked Sendable {
  /// What is reported of it.
  enum Fact {
    /// A service is there that was not before, or the same one has at last said what it can do.
    case came(DesktopServer, DesktopNotice.Capabilities)
    /// The service has gone; whether another comes is reported next.
    case left
    /// There is none; `canStart` says whether the bus could start one.
    case went(canStart: Bool)
    /// The bus could not start one, for this reason.
    case startFailed(String)
    case tapped(UInt32)
    case closed(UInt32, reason: Int64)
  }

  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"
  private static let bus = "org.freedesktop.DBus"
  private static let busPath = "/org/freedesktop/DBus"
  /// How long it may take to answer, in microseconds: a desktop that has just begun is slow.
  private static let patience: UInt64 = 30_000_000

  private unowned let bus: BusConnection
  private let heard: (Fact) -> Void
  private var busID: String?
  /// The unique names on the bus of the service in use, and of another one while it is asked what it can do.
  private var owner: String?
  private var coming: String?
  /// Whether that service has not answered yet what it can do.
  private var isUnknown = false
  private var isStarting = false

  /// A service whose facts are handed to `heard` once it is followed.
  init(on bus: BusConnection, heard: @escaping (Fact) -> Void) { (self.bus, self.heard) = (bus, heard) }

  /// Begins.
  func follow() {
    bus.followOwner(of: Self.name) { [weak self] in self?.findOwner() }
    let rule = "type='signal',sender='\(Self.name)',path='\(Self.path)',interface='\(Self.name)',member="
    bus.follow(rule + "'ActionInvoked'") { [weak self] in self?.hearAction($0) }
    bus.follow(rule + "'NotificationClosed'") { [weak self] in self?.hearEnd($0) }
    bus.call("GetId", of: Self.bus, at: Self.busPath, in: Self.bus) { [weak self] answer in
      self?.busID = answer.hasFailed ? "" : answer.next()?.text ?? ""
      self?.findOwner()
    }
  }

  /// Has the bus start a service, if it knows one.
  func start() {
    guard owner == nil, coming == nil, !isStarting else { return }
    isStarting = bus.call(
      "StartServiceByName", of: Self.bus, at: Self.busPath, in: Self.bus, .text(Self.name), .count(0),
      patience: Self.patience
    ) { [weak self] answer in
      self?.isStarting = false
      guard answer.hasFailed else { return }  // The bus signals the owner.
      let reason = answer.failure ?? "it failed"
      self?.findWhetherItStarts { self?.heard($0 ? .startFailed(reason) : .went(canStart: false)) }
    }
  }

  /// Calls `then` once the service has been asked what it can do, again if it has not answered before; never if it goes
  /// meanwhile.
  func learn(_ then: @escaping () -> Void) {
    guard isUnknown, let owner else { return then() }
    askCapabilities(of: owner) { [weak self] capabilities in
      guard let self, self.owner == owner else { return }
      if let capabilities { self.know(owner, capabilities) }
      then()
    }
  }

  /// Asks for a notification; `answered` is told its number, or why there is none.
  func notify(
    _ notice: DesktopNotice, replacing number: UInt32, answered: @escaping (Result<UInt32, DesktopTrouble>) -> Void
  ) {
    guard let owner else { return answered(.failure(.refused("it has gone"))) }
    let wasSent = bus.call(
      "Notify", of: Self.name, at: Self.path, in: owner, .text(notice.appName), .count(number), .text(notice.icon),
      .text(notice.summary), .text(notice.body), .texts(notice.actions), .properties(notice.hints), .number(-1),
      patience: Self.patience
    ) { answer in
      answered(Self.number(in: answer))
    }
    if !wasSent { answered(.failure(.refused("it could not be asked"))) }
  }

  /// Closes a notification. A failure is ignored.
  func close(_ number: UInt32) {
    guard let owner else { return }
    bus.call("CloseNotification", of: Self.name, at: Self.path, in: owner, .count(number)) { _ in }
  }

  private static func number(in answer: BusMessage) -> Result<UInt32, DesktopTrouble> {
    guard !answer.hasFailed else { return .failure(.refused(answer.failure ?? "it failed")) }
    guard let number = answer.next()?.number.flatMap({ UInt32(exactly: $0) }), number > 0 else {
      return .failure(.refused("its answer is no number of a notification"))
    }
    return .success(number)
  }

  private func findOwner() {
    guard busID != nil else { return }
    bus.call("GetNameOwner", of: Self.bus, at: Self.busPath, in: Self.bus, .text(Self.name)) { [weak self] answer in
      self?.take(owner: answer.hasFailed ? nil : answer.next()?.text)
    }
  }

  private func take(owner: String?) {
    guard let owner else { return leave() }
    guard owner != coming ?? self.owner else { return }
    // What is known of the old one's notifications means nothing to the new one.
    lose()
    coming = owner
    askCapabilities(of: owner) { [weak self] capabilities in
      guard let self, self.coming == owner else { return }  // Another has come meanwhile.
      (self.owner, self.coming) = (owner, nil)
      self.know(owner, capabilities)
    }
  }

  /// Asks a service what it can do; nil if it does not answer. An answer that makes no sense names nothing.
  private func askCapabilities(of owner: String, _ answered: @escaping (DesktopNotice.Capabilities?) -> Void) {
    bus.call("GetCapabilities", of: Self.name, at: Self.path, in: owner, patience: Self.patience) { answer in
      answered(answer.hasFailed ? nil : DesktopNotice.Capabilities(answer.texts() ?? []))
    }
  }

  private func know(_ owner: String, _ capabilities: DesktopNotice.Capabilities?) {
    isUnknown = capabilities == nil
    heard(.came(DesktopServer(bus: busID ?? "", name: owner), capabilities ?? .init()))
  }

  private func leave() {
    lose()
    findWhetherItStarts { [weak self] in self?.heard(.went(canStart: $0)) }
  }

  /// Asks the present service nothing more, also while it is unknown which one comes next.
  private func lose() {
    let wasThere = owner != nil
    (owner, coming) = (nil, nil)
    if wasThere { heard(.left) }
  }

  /// Finds out whether the bus could start a service. `found` is not called if one has come meanwhile.
  private func findWhetherItStarts(_ found: @escaping (Bool) -> Void) {
    bus.call("ListActivatableNames", of: Self.bus, at: Self.busPath, in: Self.bus) { [weak self] answer in
      guard let self, self.owner == nil, self.coming == nil else { return }
      found(!answer.hasFailed && answer.texts()?.contains(Self.name) == true)
    }
  }

  private func hearAction(_ message: BusMessage) {
    guard message.sender == owner, let number = message.next()?.number.flatMap({ UInt32(exactly: $0) }) else { return }
    if [DesktopNotice.tap, DesktopNotice.button].contains(message.next()?.text) { heard(.tapped(number)) }
  }

  private func hearEnd(_ message: BusMessage) {
    guard message.sender == owner, let number = message.next()?.number.flatMap({ UInt32(exactly: $0) }) else { return }
    if let reason = message.next()?.number { heard(.closed(number, reason: reason)) }
  }
}

/// Why the desktop does not show a notification.
enum DesktopTrouble: Error {
  /// The service did not show it, for this reason.
  case refused(String)
}
