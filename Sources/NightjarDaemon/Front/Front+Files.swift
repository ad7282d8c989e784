import Dispatch
import NightjarCore
import NightjarModel
import NightjarTransfer
import Synchronization
import Varlink

/// The file that a request names, to be inspected before the request is read.
struct FileLook {
  /// The file; nil if the request names none.
  var path: String?
  /// The call's field that names it.
  var field = "file"
  /// What the request is known by; nil if its key is none.
  var identity: RequestIdentity?
  /// Makes the error for a field.
  var refuse: (_ field: String, _ reason: String) -> VarlinkError
}

/// For how long the file system of a file that a call names may be silent.
struct FilePatience {
  /// Where a person or a script calls.
  var ofOthers: Duration
  /// Where an app does: less than it has for leaving the foreground, the shortest of what it says over the connection
  /// that is held.
  var ofApps: Duration

  init(_ patience: Duration, leaveTimeout: Duration) {
    (ofOthers, ofApps) = (patience, min(.seconds(3), patience, leaveTimeout * 3 / 5))
  }
}

/// How the front reads calls that name a file to upload.
///
/// One thread serves all clients, and a file is inspected before its upload is queued. Its file system may not answer.
/// So a file on another mount than the daemon's is inspected on that mount's lane. Meanwhile the same client's later
/// calls wait, since they may depend on this one; those of other clients do not.
extension Front {
  /// Times out file systems that do not answer. On a global queue, its workers would be checked every second from then
  /// on.
  private static let impatience = DispatchQueue(label: "nightjar.patience")

  /// Reads a request that names a file, and then goes on with it. Refuses it if the file system does not answer, unless
  /// it only repeats one that was accepted.
  ///
  /// - Parameters:
  /// - read: Inspects the file, if the path is absolute.
  ///   - then: Goes on with the request.
  /// - alreadyQueued: Makes the answer for a request that was accepted before.
  func look<P: Sendable, R: Sendable, Request: Sendable>(
    _ look: FileLook, for call: VarlinkCall<P, R>, read: @escaping @Sendable () throws(VarlinkError) -> Request,
    then: @escaping @Sendable (Request) -> Void, alreadyQueued: @escaping @Sendable (TransferID) -> R
  ) {
    let (patience, identity) = (call.isOfControl ? self.patience.ofOthers : self.patience.ofApps, look.identity)
    let goOn: @Sendable (Result<Request, VarlinkError>) -> Void = { [self] found in
      switch found {
      case .success(let request): then(request)
      case .failure(let error): self.refuse(call, error, unlessQueued: identity, alreadyQueued)
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

  /// Refuses a request, unless it was accepted before, when its file could still be read: then its transfer goes on.
  private func refuse<P: Sendable, R: Sendable>(
    _ call: VarlinkCall<P, R>, _ error: VarlinkError, unlessQueued identity: RequestIdentity?,
    _ alreadyQueued: @escaping @Sendable (TransferID) -> R
  ) {
    guard let identity else {
      call.fail(error)
      return
    }
    put(.recall(identity), call) { answer in
      if case .accepted(let id) = answer { call.reply(alreadyQueued(id)) } else { call.fail(error) }
    }
  }
}

/// A call that goes on once: with the request that was read, or with an error.
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
