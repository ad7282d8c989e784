import Glibc
import NightjarWire
import Varlink

// Translates the errors of the Varlink library.
extension ClientError {
  /// The error for a socket on which no daemon answers, with a sentence on what to do then.
  static func unreachable(_ socket: String, _ error: TransportError, _ remedy: String) -> ClientError {
    if access(socket, R_OK | W_OK) != 0, errno == EACCES {
      return ClientError(
        .notPermitted, "The socket \(socket) belongs to another user; use a home of your own (--home, NIGHTJAR_HOME).")
    }
    return ClientError(.noDaemon, "No daemon answers at \(socket) (\(error.detail)). \(remedy)")
  }

  /// The error that a call ended with.
  init(_ error: any Error) {
    switch error {
    case let error as ClientError: self = error
    case let error as VarlinkError: self.init(answer: error)
    case let error as TransportError: self.init(line: error)
    case is CancellationError: self.init(.lost, "The call was given up.")
    default: self.init(.unintelligible, "The daemon's answer cannot be understood: \(error)")
    }
  }

  private init(line error: TransportError) {
    switch error.code {
    case .closed, .unreachable, .stopped, .system, .timedOut, .overflow:
      self.init(.lost, "The connection to the daemon was lost: \(error.detail)")
    case .refused:
      self.init(.notPermitted, "The daemon refused the connection: \(error.detail)")
    case .inUse, .malformed, .tooLarge, .unencodable, .undecodable, .badAddress:
      self.init(
        .unintelligible,
        "The daemon and this program do not understand each other; are both of one version? "
          + error.detail)
    }
  }

  private init(answer error: VarlinkError) {
    if let failure = error.declared {
      self.init(.refused, failure.explanation, failure: failure)
      return
    }
    switch error.name {
    case VarlinkError.Name.permissionDenied:
      self.init(.notPermitted, "The daemon serves another user; use a home of your own (--home, NIGHTJAR_HOME).")
    case VarlinkError.Name.methodNotFound, VarlinkError.Name.methodNotImplemented,
      VarlinkError.Name.interfaceNotFound:
      self.init(.unintelligible, "The daemon cannot do this; it is of an older version. Restart it. (\(error))")
    default:
      self.init(.unintelligible, "The daemon answered with an error that this program does not know: \(error)")
    }
  }
}

extension VarlinkError {
  /// This error as the type that the interface declares for it; nil for the errors of Varlink itself.
  var declared: (any WireFailure)? {
    for type in ControlInterface.failures {
      if let failure = type.init(self) { return failure }
    }
    return nil
  }
}
