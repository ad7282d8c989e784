import NIOCore
import NIOHTTP1

/// Who sends one request and hears its answer. All calls come on the exchange's event loop.
protocol ExchangeOwner: AnyObject {
  /// An informational answer (1xx) came; the final one is still to come. True if it told of bytes that got on, so that
  /// there may be many of its kind.
  func exchangeInformed(_ head: HTTPResponseHead) -> Bool
  /// A part of the body that went with the head has left.
  func exchangeSent(isLast: Bool)
  /// The final answer's head came.
  func exchangeAnswered(_ head: HTTPResponseHead)
  /// More of the body came.
  func exchangeReceived(_ bytes: ByteBuffer)
  /// All that could be read at once has been handed over.
  func exchangePaused()
  /// The answer has ended as HTTP says it must. The exchange is no longer the owner's.
  func exchangeEnded()
  /// It ended otherwise. The exchange is no longer the owner's.
  func exchangeBroke(_ error: any Error)
}

/// What an exchange finds wrong by itself.
enum ExchangeError: Error {
  /// More informational answers than anyone needs.
  case endlessInformation
  /// Bytes came after the end that the answer had announced.
  case moreThanAnnounced
  /// The connection closed before the answer's end.
  case closedEarly
  /// The answer is 101 (RFC 9110, section 15.2.2): what follows is no HTTP, though nobody has asked for anything else.
  case switchedProtocols
  /// The head of the request cannot be sent as it is.
  case unsendable
  /// The answer has no status, or one below 100.
  case noStatus
}
