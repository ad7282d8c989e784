import Glibc

/// Has a terminal put in order if a signal ends the process meanwhile. One at a time.
///
/// A handler may take no lock and make no object, so what it needs lies ready for it in the process.
struct Precaution {
  private nonisolated(unsafe) static var terminal: Int32 = -1
  private nonisolated(unsafe) static var settings = termios()

  private let former: [(signal: Int32, action: sigaction)]

  /// From now on the terminal gets these settings back before a signal ends the process.
  init(_ terminal: Int32, _ settings: termios) {
    (Self.terminal, Self.settings) = (terminal, settings)
    former = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].map { ($0, Self.handle($0)) }
  }

  /// Signals do what they did before.
  func end() {
    for one in former {
      var action = one.action
      sigaction(one.signal, &action, nil)
    }
  }

  /// Takes a signal over, unless it is ignored, as SIGHUP is under nohup(1).
  private static func handle(_ signal: Int32) -> sigaction {
    var (former, action) = (sigaction(), sigaction())
    sigaction(signal, nil, &former)
    guard !former.isIgnored else { return former }
    action.__sigaction_handler.sa_handler = { signal in
      tcsetattr(Precaution.terminal, TCSANOW, &Precaution.settings)
      Glibc.signal(signal, SIG_DFL)
      raise(signal)
    }
    sigaction(signal, &action, nil)
    return former
  }
}

extension sigaction {
  /// Whether nothing comes of the signal.
  var isIgnored: Bool {
    unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
