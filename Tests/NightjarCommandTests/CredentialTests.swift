import Foundation
import NightjarWire
import Testing

@testable import NightjarCommand

@Suite(.timeLimit(.minutes(2))) struct CredentialTests {
  private func start(
    _ bench: Bench, answering answer: PasswordAnswer = .noTerminal, _ arguments: String...
  ) -> Task<Int32, Never> {
    var surroundings = bench.surroundings()
    surroundings.password = { prompt in
      bench.screen.console(isTerminal: true, columns: 80, hasColour: false).errors.line(prompt)
      return answer
    }
    return Task { [surroundings] in await Program.run(arguments, in: surroundings) }
  }

  @Test func `a password is asked for, goes to the daemon and is shown nowhere`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let run = start(
      bench, answering: .typed("open s€same/"), "download", "http://h/big.iso?a@b", "https://i/b", "--user", "änna")
    try await bench.screen.waits(for: "Transfer 2: downloading")
    daemon.update(1) { $0.state = .succeeded }
    daemon.update(2) { $0.state = .succeeded }

    #expect(await run.value == 0)
    let urls = daemon.read { $0.downloads.map(\.url) }
    let credentials = "%C3%A4nna:open%20s%E2%82%ACsame%2F@"
    #expect(urls == ["http://\(credentials)h/big.iso?a@b", "https://\(credentials)i/b"])
    #expect(bench.screen.errors == "Password of änna: \n")
    #expect(bench.screen.output.contains("Transfer 1: downloading http://h/big.iso?a@b to"))
    #expect(!bench.screen.output.contains("same") && !bench.screen.output.contains("nna"))
  }

  @Test(arguments: [("open sesame\nmore", "open%20sesame"), ("a:b\r\n", "a%3Ab"), ("no end", "no%20end")])
  func `a file's first line is the password`(text: String, password: String) async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    try bench.write(text, to: "secret")
    try bench.write("cargo", to: "cargo")

    let run = start(
      bench, "upload", "cargo", "http://h/up", "--no-wait", "--user", "anna", "--password-file", "secret")

    #expect(await run.value == 0, "\(bench.screen.errors)")
    #expect(daemon.read { $0.uploads.map(\.url) } == ["http://anna:\(password)@h/up"])
  }

  @Test(arguments: [
    ("anna:open:sesame", "anna:open%3Asesame"), ("anna\u{600}:sesame", "anna%D8%80:sesame"),
    ("anna:\u{301}sesame", "anna:%CC%81sesame"),
  ])
  func `a password after the colon is taken as it stands`(user: String, credentials: String) async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let run = start(bench, "download", "http://h/a", "--no-wait", "--user", user)

    #expect(await run.value == 0, "\(bench.screen.errors)")
    #expect(daemon.read { $0.downloads.map(\.url) } == ["http://\(credentials)@h/a"])
  }

  @Test(arguments: [
    (["--user", "anna"], "no terminal"), (["--password-file", "x"], "needs --user"),
    (["--user", ":x"], "needs a name"),
    (["--user", "anna", "--password-file", "missing"], "missing cannot be read"),
    (["--user", "anna", "--password-file", "empty"], "empty has nothing in its first line"),
    (["--user", "anna", "--password-file", "blank"], "blank has nothing in its first line"),
    (["--user", "anna", "--password-file", "long"], "long has more than 4096 bytes in its first line"),
    (["--user", "anna", "--password-file", "latin"], "latin is not UTF-8 in its first line"),
    (["--user", "anna", "--password-file", "."], ". cannot be read: Is a directory."),
    (["--user", "anna:x", "--password-file", "empty"], "has a password already"),
    (["http://bea:y@h/b", "--user", "anna:x"], "http://h/b carries a name already"),
  ])
  func `what cannot be used is refused in words, and nothing is queued`(arguments: [String], words: String) async throws
  {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    try bench.write("", to: "empty")
    try bench.write("\r\nsecret\n", to: "blank")
    try bench.write(String(repeating: "x", count: 5000), to: "long")
    try Data([0xE9, 0x0A]).write(to: URL(filePath: bench.folder + "/latin"))

    let status = await Program.run(["download", "http://h/a"] + arguments, in: bench.surroundings())

    #expect(status == ExitStatus.usage.rawValue)
    #expect(bench.screen.errors.contains(words), "\(bench.screen.errors)")
    #expect(daemon.read { $0.downloads.count } == 0)
  }

  @Test func `Ctrl-C at the prompt queues nothing`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let run = start(bench, answering: .interrupted, "download", "http://h/a", "--user", "anna")

    #expect(await run.value == ExitStatus.interrupted.rawValue)
    #expect(daemon.read { $0.downloads.count } == 0)
  }

  @Test(
    arguments: [
      ("open sesame\r", .typed("open sesame")), ("opx\u{7f}en\n", .typed("open")), ("ab€\u{8}c\r", .typed("abc")),
      ("wrong\u{15}right\r", .typed("right")), ("\r", .typed("")), ("ab\u{3}", .interrupted), ("\u{4}", .interrupted),
    ] as [(String, PasswordAnswer)])
  func `the prompt shows nothing of what is typed, and leaves the terminal as it was`(
    typed: String, answer: PasswordAnswer
  ) async throws {
    let terminal = try #require(PseudoTerminal())

    let (heard, shown) = await terminal.ask("Password: ", typing: typed)

    #expect(heard == answer)
    #expect(shown == "Password: \r\n")
    #expect(terminal.echoes)
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `who is ended while asking leaves the terminal as it was`(signal: Int32) async throws {
    let terminal = try #require(PseudoTerminal())

    await #expect(processExitsWith: .signal(signal)) { [path = terminal.path as String, signal = signal as Int32] in
      let terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
      Thread.detachNewThread {
        while PseudoTerminal.echoes(terminal) { sched_yield() }
        kill(getpid(), signal)
      }
      _ = PasswordPrompt(terminal: terminal).ask("Password: ")
    }

    #expect(terminal.echoes)
  }
}

/// Both ends of a terminal that is none (pty(7)).
// Unchecked: the descriptors do not change.
private final class PseudoTerminal: @unchecked Sendable {
  private let keyboard: Int32
  private let terminal: Int32
  /// The terminal's own name.
  let path: String

  /// TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)).
  private static let (setLock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))

  init?() {
    keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number) = (Int32(0), UInt32(0))
    guard keyboard >= 0, ioctl(keyboard, Self.setLock, &lock) == 0, ioctl(keyboard, Self.getNumber, &number) == 0
    else { return nil }
    path = "/dev/pts/\(number)"
    terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
  }

  deinit {
    close(keyboard)
    close(terminal)
  }

  var echoes: Bool { Self.echoes(terminal) }

  static func echoes(_ terminal: Int32) -> Bool {
    var settings = termios()
    return tcgetattr(terminal, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Types once the prompt is there. Both sides block, so both have threads of their own.
  func ask(_ prompt: String, typing text: String) async -> (PasswordAnswer, shown: String) {
    async let shown = onThread { self.screen(until: prompt) }
    async let answer = onThread { PasswordPrompt(terminal: self.terminal).ask(prompt) }
    let first = await shown
    let bytes = Array(text.utf8)
    _ = write(keyboard, bytes, bytes.count)
    let heard = await answer
    let rest = await onThread { self.screen(until: "\n") }
    return (heard, first + rest)
  }

  private func screen(until end: String) -> String {
    var (text, chunk) = ("", [UInt8](repeating: 0, count: 256))
    while !text.utf8.reversed().starts(with: end.utf8.reversed()) {
      let count = read(keyboard, &chunk, chunk.count)
      guard count > 0 else { return text }
      text += String(decoding: chunk[..<count], as: UTF8.self)
    }
    return text
  }

  private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { done in
      Thread.detachNewThread { done.resume(returning: work()) }
    }
  }
}
