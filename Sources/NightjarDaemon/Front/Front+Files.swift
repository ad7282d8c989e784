import Dispatch
import Glibc
import NightjarTransfer
import Synchronization
import Varlink

/// How the front comes to read calls that name a file to upload.
///
/// One thread serves all clients, and a file is looked at before its upload is queued. Its file system may be one that does
/// not answer. So a file on another mount than the daemon's own is looked at on that mount's lane. Meanwhile what the client
/// has sent next waits, for it may be about this call, and nobody else's does.
extension Front {
  /// Goes on with a call once the file that it names answers; refuses it if that takes too long.
  func whenReadable<P: Sendable, R: Sendable>(
    _ path: String?, _ call: VarlinkCall<P, R>, else refuse: (_ field: String, _ reason: String) -> VarlinkError,
    proceed: @escaping @Sendable () throws(VarlinkError) -> Void
  ) throws(VarlinkError) {
    guard let path, path.hasPrefix("/"), let lane = fileSystems.lane(for: path, .looking) else { return try proceed() }
    let silence = refuse("file", "the file system of '\(path)' does not answer")
    call.connection.hold()
    let held = HeldCall { isSilent in
      do throws(VarlinkError) {
        if isSilent { throw silence }
        try proceed()
      } catch {
        call.fail(error)
      }
      call.connection.release()
    }
    lane.submit {
      _ = access(path, F_OK)
      held.goOn(isSilent: false)
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.patienceSeconds)) { held.goOn(isSilent: true) }
  }

  /// Less than an app has for acknowledging what it was told: it does so over the connection that is held.
  private static var patienceSeconds: Int { 20 }
}

/// A call that goes on once: with the file's answer, or without.
private final class HeldCall: Sendable {
  private let proceed: Mutex<(@Sendable (_ isSilent: Bool) -> Void)?>

  init(_ proceed: @escaping @Sendable (_ isSilent: Bool) -> Void) { self.proceed = Mutex(proceed) }

  func goOn(isSilent: Bool) {
    let proceed = proceed.withLock { proceed in
      defer { proceed = nil }
      return proceed
    }
    proceed?(isSilent)
  }
}
