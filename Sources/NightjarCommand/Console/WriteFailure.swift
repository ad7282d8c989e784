import Glibc
import Synchronization

/// Why a stream accepts no more text.
public struct WriteFailure: Hashable, Sendable {
  /// The `errno` that the write ended with.
  public var code: Int32

  /// A failure with this `errno`.
  public init(code: Int32) { self.code = code }

  /// Whether the reader at the other end has gone, so that it need not be told.
  var isOfReader: Bool { code == EPIPE }

  /// The system's message.
  var words: String { String(cString: strerror(code)) }
}

/// The first failure of a stream. Any thread may note one.
final class FirstFailure: Sendable {
  private let first = Mutex<WriteFailure?>(nil)

  var noted: WriteFailure? { first.withLock { $0 } }

  func note(_ failure: WriteFailure) { first.withLock { $0 = $0 ?? failure } }
}
