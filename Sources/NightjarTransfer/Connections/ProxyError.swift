import NightjarModel

/// Why a proxy does not lead to the origin.
enum ProxyError: Error {
  /// It refuses, with this answer.
  case refused(AnswerHead)
  /// SOCKS: its number for the reason.
  case socksRefused(UInt8)
  /// SOCKS: it wants to know who we are, or does not believe it.
  case socksWantsPassword
  /// It does not speak its protocol.
  case nonsense(String)
  /// It took the connection and says nothing.
  case timedOut
  /// It closed the connection before the way was open.
  case closedEarly
}
