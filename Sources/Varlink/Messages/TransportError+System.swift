import Glibc

extension TransportError {
  /// The failure of a system call, worded from `errno`, which is read first.
  static func system(_ call: String, _ code: Code = .system, number: CInt = errno) -> TransportError {
    TransportError(code, "\(call): \(systemMessage(number))")
  }
}

/// The message of `strerror` for an error number, without its shared buffer.
func systemMessage(_ number: CInt) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
    buffer.initialize(repeating: 0)
    _ = strerror_r(number, buffer.baseAddress!, buffer.count)
    return String(cString: buffer.baseAddress!)
  }
}

/// Repeats a system call while a signal, a stop or a freeze interrupts it.
@inline(__always)
func uninterrupted<Result: BinaryInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}
