import Glibc
import Synchronization

/// Why a stream takes no more text.
public struct WriteFailure: Hashable, Sendable {
  /// The `errno` that the write ended with.
  public var code: Int32

  /// A failure with this `errno`.
  public init(code: Int32) { self.code = code }

  /// Whether whoever read at the other end has gone, and so knows.
  var isOfReader: Bool { code == EPIPE }

  /// What the system calls it.
  var words: String { String(cString: strerror(code)) }
}

/// The first failure of a stream. Any thread may note one.
final class FirstFailure: Sendable {
  private let first = Mutex<WriteFailure?>(nil)

  var noted: WriteFailure? { first.withLock { $0 } }

  func note(_ failure: WriteFailure) { first.withLock { $0 = $0 ?? failure } }
}
