import Synchronization

/// A continuation that the first of several results resumes. A result may also come before the continuation is set.
final class OnceContinuation<Value: Sendable>: Sendable {
  private enum State {
    case empty
    case waiting(CheckedContinuation<Value, any Error>)
    case early(Result<Value, any Error>)
    case done
  }

  private let state = Mutex(State.empty)

  func install(_ continuation: CheckedContinuation<Value, any Error>) {
    let early = state.withLock { state -> Result<Value, any Error>? in
      switch state {
      case .empty:
        state = .waiting(continuation)
        return nil
      case .early(let result):
        state = .done
        return result
      case .waiting, .done: preconditionFailure("a continuation was installed twice")
      }
    }
    if let early { continuation.resume(with: early) }
  }

  func resume(_ result: Result<Value, any Error>) {
    let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
      switch state {
      case .empty:
        state = .early(result)
        return nil
      case .waiting(let continuation):
        state = .done
        return continuation
      case .early, .done: return nil
      }
    }
    continuation?.resume(with: result)
  }
}
