/// What happened in the farm, for its log and for whoever waits for it.
public enum FarmEvent: Sendable, Equatable {
  /// A video was announced and waits for its movie.
  case prepared(String, title: String)
  /// A movie is whole, durable and visible. `size` in bytes, `sha256` in lowercase hexadecimal digits.
  case stored(String, size: Int, sha256: String)
  /// An upload ended before its end; what had come of it, `received` bytes, is gone.
  case cut(String, received: Int)
  /// An upload that can go on was cut, with so many bytes of it kept.
  case paused(String, at: Int)
  /// It goes on with the byte `at`.
  case resumed(String, at: Int)
  /// A request for a movie is answered with the bytes `from` up to but not including `to`.
  case serving(String, from: Int, to: Int)
  /// Such an answer has ended, after so many bytes were handed to the network: all, unless its connection was cut.
  case served(String, from: Int, bytes: Int)
}
