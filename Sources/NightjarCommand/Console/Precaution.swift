import Glibc

/// Restores a terminal if a signal ends the process meanwhile. Only one may exist at a time.
///
/// A signal handler may take no lock and allocate nothing, so what it needs is kept in static storage.
struct Precaution {
  private nonisolated(unsafe) static var terminal: Int32 = -1
  /// Allocated once and kept. A static of the type itself would be three bytes too short: the compiler (6.3.1) adds up
  /// the fields of an imported structure and leaves out the padding.
  private nonisolated(unsafe) static var settings: UnsafeMutablePointer<termios>?

  private let former: [(signal: Int32, action: sigaction)]

  /// From now on a signal restores these settings of the terminal before it ends the process.
  init(_ terminal: Int32, _ settings: termios) {
    let place = Self.settings ?? .allocate(capacity: 1)
    place.initialize(to: settings)
    (Self.terminal, Self.settings) = (terminal, place)
    former = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].map { ($0, Self.handle($0)) }
  }

  /// Restores the previous signal handlers.
  func end() {
    for one in former {
      var action = one.action
      sigaction(one.signal, &action, nil)
    }
  }

  /// Handles a signal, unless it is ignored, as SIGHUP is under nohup(1).
  private static func handle(_ signal: Int32) -> sigaction {
    var (former, action) = (sigaction(), sigaction())
    sigaction(signal, nil, &former)
    guard !former.isIgnored else { return former }
    action.__sigaction_handler.sa_handler = { signal in
      if let settings = Precaution.settings { tcsetattr(Precaution.terminal, TCSANOW, settings) }
      Glibc.signal(signal, SIG_DFL)
      raise(signal)
    }
    sigaction(signal, &action, nil)
    return former
  }
}

extension sigaction {
  /// Whether the signal is ignored.
  var isIgnored: Bool {
    unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
