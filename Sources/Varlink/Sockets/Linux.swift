import Glibc

/// The Linux calls that Swift's Glibc module does not import, looked up by name once.
///
/// `dlsym` with C function types needs neither a C target nor an attribute that the language does not promise.
enum Linux {
  static let oPath: CInt = 0o10_000_000  // O_PATH, open(2)
  static let socketNonBlocking = CInt(SOCK_NONBLOCK.rawValue)
  static let socketCloseOnExec = CInt(SOCK_CLOEXEC.rawValue)

  static let noSignal = CInt(MSG_NOSIGNAL)

  private typealias Accept4 =
    @convention(c) (CInt, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?, CInt) -> CInt
  private static let accept4 = symbol("accept4", Accept4.self)
  private static let eventfd = symbol("eventfd", (@convention(c) (CUnsignedInt, CInt) -> CInt).self)

  private static let setName = symbol(
    "pthread_setname_np", (@convention(c) (pthread_t, UnsafePointer<CChar>) -> CInt).self)

  /// accept4(2): the new descriptor does not block and is closed on exec.
  static func accept(_ listener: CInt) -> CInt {
    uninterrupted { accept4(listener, nil, nil, socketNonBlocking | socketCloseOnExec) }
  }

  /// eventfd(2), which does not block and is closed on exec.
  static func makeEvent() -> CInt {
    eventfd(0, O_NONBLOCK | O_CLOEXEC)
  }

  /// Names the calling thread for ps and debuggers; 15 bytes.
  static func nameThread(_ name: String) {
    _ = setName(pthread_self(), name)
  }

  /// Finds a C function; that every Linux of ours has it is the condition for calling.
  static func symbol<Function>(_ name: String, _ type: Function.Type) -> Function {
    guard let address = dlsym(nil, name) else { preconditionFailure("the C library has no \(name)") }
    return unsafeBitCast(address, to: type)
  }
}
