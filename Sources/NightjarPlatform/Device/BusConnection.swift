import CNightjarBus
import Glibc

/// Which bus a connection leads to.
enum BusKind: String, Sendable {
  /// The machine's.
  case system
  /// That of a user's session.
  case session
}

/// A connection to a bus (D-Bus), the system's or the session's, by libsystemd's sd-bus where the machine has it.
///
/// Nothing here waits, and nothing is polled: the connection's descriptor is among those that the lookout waits for. A
/// lost connection stays lost; its owner makes another.
///
/// `@unchecked Sendable`, since it is only touched on the lookout's thread, but for its end.
final class BusConnection: @unchecked Sendable {
  typealias Handler = (BusMessage) -> Void

  /// How long a service may take to answer, in microseconds; then it counts as gone.
  static let answerMax: UInt64 = 10_000_000
  /// Messages in a row before others on the thread have their turn.
  private static let batch = 64

  private let kind: BusKind
  private let lookout: Lookout
  private let onLoss: (PlatformError) -> Void
  private var bus: OpaquePointer?
  private var watch: Lookout.Watch?
  private var alarm: Alarm?
  private var signs = Lookout.Sign.readable.rawValue
  private var deadline = UInt64.max
  private var handlers: [UInt64: (isForOne: Bool, handle: Handler)] = [:]
  private var lastToken: UInt64 = 0
  /// Whether the bus has ever answered. A bus that restarts behind a socket that stays can be connected to before it
  /// answers.
  private(set) var hasStood = false

  /// Begins to connect. `onLoss` is called once, when the bus has refused or gone.
  init(
    _ kind: BusKind, address: String, lookout: Lookout, onLoss: @escaping (PlatformError) -> Void
  ) throws(PlatformError) {
    (self.kind, self.lookout, self.onLoss) = (kind, lookout, onLoss)
    let context = Unmanaged.passUnretained(self).toOpaque()
    let result = nightjar_bus_open(
      address, { Unmanaged<BusConnection>.fromOpaque($0!).takeUnretainedValue().handle($1, BusMessage($2!)) }, context,
      &bus)
    if result == -ENOSYS { throw PlatformError(.system(ENOSYS), "there is no libsystemd.so.0 to speak D-Bus with") }
    guard let bus, result >= 0 else { throw .system("no \(kind.rawValue) bus at \(address)", -result) }
    alarm = try Alarm(lookout: lookout) { [weak self] in self?.ring() }
    let twin = fcntl(nightjar_bus_descriptor(bus), F_DUPFD_CLOEXEC, 0)  // sd-bus closes its own.
    let descriptor = try Lookout.descriptor(twin < 0 ? -errno : twin, "cannot watch the \(kind.rawValue) bus")
    watch = try lookout.watch(descriptor, for: .readable) { [weak self] in self?.process() }
    arm()
  }

  deinit { close() }

  /// Has the signals of a match rule handed over for as long as the connection lasts.
  func follow(_ rule: String, _ handle: @escaping Handler) {
    guard let bus else { return }
    _ = nightjar_bus_match(bus, rule, token(isForOne: false, handle))
    arm()
  }

  /// Calls a method; the answer, or the error in its place, is handed over later. Starts no service.
  ///
  /// - Parameter patience: How long the service may take, in microseconds; then it counts as an error.
  /// - Returns: Whether it was sent. If not, nothing is handed over: the connection has gone, as processing is about to
  ///   find out, or an argument cannot be sent.
  @discardableResult func call(
    _ member: String, of interface: String, at path: String, in service: String, _ arguments: BusArgument...,
    patience: UInt64 = BusConnection.answerMax, _ handle: @escaping Handler
  ) -> Bool {
    guard let bus else { return false }
    var call: OpaquePointer?
    var result = nightjar_bus_prepare(bus, service, path, interface, member, &call)
    guard let call else { return false }
    for argument in arguments where result >= 0 { result = argument.append(to: call) }
    guard result >= 0 else {
      nightjar_call_drop(call)
      return false
    }
    let token = token(isForOne: true, handle)
    result = nightjar_bus_send(bus, call, token, patience)
    if result < 0 { handlers[token] = nil }
    arm()
    return result >= 0
  }

  private func token(isForOne: Bool, _ handle: @escaping Handler) -> UInt64 {
    lastToken += 1
    handlers[lastToken] = (isForOne, handle)
    return lastToken
  }

  private func handle(_ token: UInt64, _ message: BusMessage) {
    guard let handler = handlers[token] else { return }
    if handler.isForOne { handlers[token] = nil }
    handler.handle(message)
  }

  private func process() {
    for _ in 0..<Self.batch {
      guard let bus else { return }
      let result = nightjar_bus_process(bus)
      if result < 0 { return lose(-result) }
      hasStood = hasStood || nightjar_bus_stands(bus)
      if result == 0 { return arm() }
    }
    lookout.perform { [weak self] in self?.process() }
  }

  private func ring() {
    deadline = .max
    process()
  }

  /// Watches the descriptor and the time as sd-bus wants it.
  private func arm() {
    guard let bus, let watch else { return }
    let signs = nightjar_bus_signs(bus)
    if signs != self.signs { lookout.change(watch, to: signs) }
    self.signs = signs
    let deadline = nightjar_bus_deadline(bus)
    if deadline != self.deadline { alarm?.set(at: Self.boot(deadline)) }
    self.deadline = deadline
  }

  /// Converts a time of CLOCK_MONOTONIC in microseconds to the boot time of an alarm.
  private static func boot(_ deadline: UInt64) -> Duration? {
    guard deadline < UInt64(Int64.max) else { return nil }
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let left = Int64(deadline) - Int64(now.tv_sec) * 1_000_000 - Int64(now.tv_nsec) / 1000
    return Clocks.boot() + .microseconds(left)
  }

  private func lose(_ number: Int32) {
    close()
    onLoss(.system("the \(kind.rawValue) bus has gone", number))
  }

  private func close() {
    watch.map(lookout.cancel)
    (watch, alarm, handlers) = (nil, nil, [:])
    bus.map(nightjar_bus_close)
    bus = nil
  }
}
