import Logging
import NightjarPlatform
import Synchronization
import Varlink

/// Keeps the home's socket where clients look for it, for as long as this object lives.
final class SocketKeeper: Sendable {
  private struct State {
    var listener: VarlinkListener
    var socketGuard: SocketGuard?
    var isTroubleTold = false
  }

  private let home: Home
  private let service: VarlinkService
  private let logger: Logger
  private let state: Mutex<State>

  /// Binds the socket.
  init(_ home: Home, _ service: VarlinkService, _ logger: Logger) throws(TransportError) {
    (self.home, self.service, self.logger) = (home, service, logger)
    state = Mutex(State(listener: try Self.bind(home)))
  }

  /// The socket as it is bound now.
  var listener: VarlinkListener { state.withLock { $0.listener } }

  /// From now on, has it bound anew when its file is gone.
  func keep(with lookout: Lookout) throws(PlatformError) {
    let socketGuard = try SocketGuard(lookout: lookout, path: home.socket) { [weak self] in
      self?.listener.isInPlace ?? true
    } bind: { [weak self] in
      self?.bindAnew() ?? true
    }
    state.withLock { $0.socketGuard = socketGuard }
  }

  private func bindAnew() -> Bool {
    do {
      try home.restoreRuntime()
      let new = try Self.bind(home)
      service.listen(on: new, insteadOf: listener)
      state.withLock { ($0.listener, $0.isTroubleTold) = (new, false) }
      logger.notice("the socket \(home.socket) was removed, and is bound anew")
      return true
    } catch {
      complain(DaemonError(error))
      return false
    }
  }

  /// Says once why it cannot be bound: it is tried again and again.
  private func complain(_ error: DaemonError) {
    let isTold = state.withLock { state in
      defer { state.isTroubleTold = true }
      return state.isTroubleTold
    }
    if !isTold { logger.warning("the socket \(home.socket) was removed, and cannot be bound yet: \(error.detail)") }
  }

  private static func bind(_ home: Home) throws(TransportError) -> VarlinkListener {
    try VarlinkListener(binding: VarlinkAddress(path: home.socket, mode: 0o600))
  }
}
