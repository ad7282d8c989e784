import Glibc
import Synchronization

/// Has a socket bound anew when its file is gone, as after the end of a person's last login, which takes
/// `XDG_RUNTIME_DIR` along. Until then the service would run on where nobody finds it.
///
/// The removal of the file is noticed (inotify(7)), not that of a folder above it by a rename. While the file is gone,
/// binding is tried again after a second, and then ever more rarely, up to every half minute: its folder may come back
/// with the next login only.
public final class SocketGuard: Sendable {
  private struct State {
    var watch: Lookout.Watch?
    var alarm: Alarm?
    var delay = SocketGuard.delayMin
  }

  private static let delayMin = Duration.seconds(1)
  private static let delayMax = Duration.seconds(30)

  private let lookout: Lookout
  private let path: String
  private let isInPlace: @Sendable () -> Bool
  private let bind: @Sendable () -> Bool
  private let state = Mutex(State())

  /// Guards a socket that is in place. Both closures are called on the lookout's thread.
  ///
  /// - Parameters:
  ///   - isInPlace: Whether the path leads to the socket.
  ///   - bind: Binds it anew; false if that cannot be done yet.
  public init(
    lookout: Lookout, path: String, isInPlace: @escaping @Sendable () -> Bool, bind: @escaping @Sendable () -> Bool
  ) throws(PlatformError) {
    (self.lookout, self.path, self.isInPlace, self.bind) = (lookout, path, isInPlace, bind)
    let alarm = try Alarm(lookout: lookout) { [weak self] in self?.look() }
    state.withLock { $0.alarm = alarm }
    lookout.perform { [weak self] in self?.look() }
  }

  deinit { state.withLock { $0.watch.map(lookout.cancel) } }

  /// Waits for the file's removal if it is there, and binds it otherwise.
  private func look() {
    guard isInPlace() || bind() else { return retry() }
    state.withLock { $0.delay = Self.delayMin }
    watch()
    if !isInPlace() { retry() }
  }

  private func retry() {
    forget()
    state.withLock { state in
      state.alarm?.set(after: state.delay)
      state.delay = min(state.delay * 2, Self.delayMax)
    }
  }

  /// Watches the present file. Without an inotify instance, which are few, it stays unwatched.
  private func watch() {
    forget()
    guard let notices = try? FolderNotices(of: path, UInt32(IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)) else { return }
    let watch = try? lookout.watch(notices.descriptor, for: .readable) { [weak self] in
      notices.drain()
      self?.noticed()
    }
    state.withLock { $0.watch = watch }
  }

  /// The file has changed in some way. If it is gone, its folder may be about to go, too, so that it is not bound at
  /// once.
  private func noticed() {
    if !isInPlace() { retry() }
  }

  private func forget() {
    let watch = state.withLock { state in
      defer { state.watch = nil }
      return state.watch
    }
    if let watch { lookout.cancel(watch) }
  }
}
