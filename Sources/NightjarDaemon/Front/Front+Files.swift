import Dispatch
import NightjarCore
import NightjarModel
import NightjarTransfer
import Synchronization
import Varlink

/// A look at the file that a request names, before the request is read.
struct FileLook {
  /// The file; nil if the request names none.
  var path: String?
  /// What the call names it in.
  var field = "file"
  /// The key that the request carries.
  var key: String
  /// The error for a field, with the reason.
  var refuse: (_ field: String, _ reason: String) -> VarlinkError
}

/// For how long the file system of a file that a call names may be silent.
struct FilePatience {
  /// Where a person or a script calls.
  var ofOthers: Duration
  /// Where an app does: less than it has for leaving the foreground, the shortest of what it says over the connection that is
  /// held.
  var ofApps: Duration

  init(_ patience: Duration, leaveTimeout: Duration) {
    (ofOthers, ofApps) = (patience, min(.seconds(3), patience, leaveTimeout * 3 / 5))
  }
}

/// How the front comes to read calls that name a file to upload.
///
/// One thread serves all clients, and a file is looked at before its upload is queued. Its file system may be one that does
/// not answer. So a file on another mount than the daemon's own is looked at on that mount's lane. Meanwhile what the client
/// has sent next waits, for it may be about this call, and nobody else's does.
extension Front {
  /// Where the time of file systems is measured that do not answer. A global queue's workers would be looked after every
  /// second from then on.
  private static let impatience = DispatchQueue(label: "nightjar.patience")

  /// Reads a request that names a file, and then goes on with it; refuses it if the file's system does not answer, unless it
  /// only repeats one that was accepted.
  ///
  /// - Parameters:
  ///   - read: Looks at the file, if the path is an absolute one.
  ///   - then: Goes on with the request.
  ///   - alreadyQueued: Answers one that was accepted before.
  func look<P: Sendable, R: Sendable, Request: Sendable>(
    _ look: FileLook, for call: VarlinkCall<P, R>, read: @escaping @Sendable () throws(VarlinkError) -> Request,
    then: @escaping @Sendable (Request) -> Void, alreadyQueued: @escaping @Sendable (TransferID) -> R
  ) {
    let (patience, key) = (call.isOfControl ? self.patience.ofOthers : self.patience.ofApps, look.key)
    let goOn: @Sendable (Result<Request, VarlinkError>) -> Void = { [self] found in
      switch found {
      case .success(let request): then(request)
      case .failure(let error): self.refuse(call, error, unlessQueued: key, alreadyQueued)
      }
    }
    guard let path = look.path, path.hasPrefix("/"), let lane = fileSystems.mount(of: path)?.lane(.looking) else {
      return goOn(Result { () throws(VarlinkError) in try read() })
    }
    let silence = look.refuse(look.field, "the file system of '\(path)' does not answer")
    guard !lane.isSilent(for: patience - min(.seconds(1), patience / 3)) else { return goOn(.failure(silence)) }
    call.connection.hold()
    let held = HeldCall<Request> { found in
      goOn(found)
      call.connection.release()
    }
    lane.submit {
      held.goOn(Result { () throws(VarlinkError) in try read() })
    }
    Self.impatience.asyncAfter(deadline: .now() + patience.inSeconds) { [weak held] in
      held?.goOn(.failure(silence))
    }
  }

  /// Refuses a request, but not one that was accepted when its file could still be read: its transfer goes on.
  private func refuse<P: Sendable, R: Sendable>(
    _ call: VarlinkCall<P, R>, _ error: VarlinkError, unlessQueued key: String,
    _ alreadyQueued: @escaping @Sendable (TransferID) -> R
  ) {
    guard let key = RequestKey(key) else {
      call.fail(error)
      return
    }
    put(.recall(key), call) { answer in
      if case .accepted(let id) = answer { call.reply(alreadyQueued(id)) } else { call.fail(error) }
    }
  }
}

/// A call that goes on once: with what was found, or without.
private final class HeldCall<Found: Sendable>: Sendable {
  typealias Outcome = Result<Found, VarlinkError>

  private struct Course { var proceed: (@Sendable (Outcome) -> Void)? }

  private let course: Mutex<Course>

  init(_ proceed: @escaping @Sendable (Outcome) -> Void) { course = Mutex(Course(proceed: proceed)) }

  func goOn(_ outcome: Outcome) {
    let proceed = course.withLock { course in
      defer { course.proceed = nil }
      return course.proceed
    }
    proceed?(outcome)
  }
}
