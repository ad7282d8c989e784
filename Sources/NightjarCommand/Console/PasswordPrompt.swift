import Glibc

/// The result of asking for a password.
public enum PasswordAnswer: Hashable, Sendable {
  /// It was typed; it may be empty.
  case typed(String)
  /// A person pressed Ctrl-C, or Ctrl-D at the beginning.
  case interrupted
  /// There is no terminal to ask on.
  case noTerminal
}

/// Asks a person for a password without showing it (termios(3)).
///
/// The terminal's own handling of keys is off meanwhile, signals included, so that no key ends the process before the
/// terminal is restored. Signals from other processes restore it first.
struct PasswordPrompt {
  /// The terminal, open for reading and writing.
  let terminal: Int32

  /// Asks on the terminal that this process belongs to, wherever its input and output go.
  static func ask(_ prompt: String) -> PasswordAnswer {
    let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return .noTerminal }
    defer { close(terminal) }
    return PasswordPrompt(terminal: terminal).ask(prompt)
  }

  /// Asks, and restores the terminal.
  func ask(_ prompt: String) -> PasswordAnswer {
    var before = termios()
    guard tcgetattr(terminal, &before) == 0 else { return .noTerminal }
    var quiet = before
    quiet.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    let precaution = Precaution(terminal, before)
    defer { precaution.end() }
    guard tcsetattr(terminal, TCSAFLUSH, &quiet) == 0 else { return .noTerminal }
    defer { tcsetattr(terminal, TCSAFLUSH, &before) }
    say(prompt)
    defer { say("\n") }
    return listen()
  }

  private func listen() -> PasswordAnswer {
    var (line, byte) = ([UInt8](), UInt8(0))
    while line.count < Self.bytesMax {
      let count = read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return .interrupted }
      switch Key(byte) {
      case .end: return .typed(String(decoding: line, as: UTF8.self))
      case .interrupt: return .interrupted
      case .endOfFile: if line.isEmpty { return .interrupted }
      case .erase: Self.eraseCharacter(of: &line)
      case .eraseAll: line = []
      case .text: line.append(byte)
      }
    }
    return .interrupted
  }

  private static let bytesMax = 4096

  /// Removes the last character, which may have several bytes in UTF-8.
  private static func eraseCharacter(of line: inout [UInt8]) {
    while let last = line.popLast(), last & 0xC0 == 0x80 {}
  }

  private func say(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(terminal, bytes, bytes.count)
  }

  /// What a byte from the keyboard means here.
  private enum Key {
    case end, interrupt, endOfFile, erase, eraseAll, text

    init(_ byte: UInt8) {
      switch byte {
      case 10, 13: self = .end
      case 3: self = .interrupt
      case 4: self = .endOfFile
      case 8, 127: self = .erase
      case 21: self = .eraseAll
      default: self = .text
      }
    }
  }
}
