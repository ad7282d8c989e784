import Glibc

/// The keys of the terminal, one at a time and unechoed; none where standard input is no terminal.
final class Keys {
  private var original = termios()
  private let isTerminal: Bool

  init() {
    isTerminal = isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &original) == 0
    guard isTerminal else { return }
    var raw = original
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
  }

  deinit { if isTerminal { tcsetattr(STDIN_FILENO, TCSANOW, &original) } }

  /// Whether q was pressed, or the terminal has gone.
  var quitWasPressed: Bool {
    guard isTerminal else { return false }
    var watched = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&watched, 1, 0) == 1 else { return false }
    var key: UInt8 = 0
    return read(STDIN_FILENO, &key, 1) != 1 || key == UInt8(ascii: "q") || key == UInt8(ascii: "Q")
  }
}
