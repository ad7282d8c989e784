import Foundation
import Synchronization

/// A pseudoterminal (pty(7)) and the program that has its other end as its terminal.
final class Pseudoterminal {
  /// The program's process.
  let pid: pid_t
  private let end: FileHandle
  private let processEnd: ProcessEnd
  /// How much may be left to hear when the program has ended: more than Linux keeps of a terminal.
  private static let unheardMax = 64 << 10
  /// Writes, and waits while the program does not read.
  private let writer = DispatchQueue(label: "nightjar.terminal")
  /// Bytes that were sent and are not with the kernel yet.
  private let unread = Unread()
  private static let unreadMax = 256 << 10
  private final class Unread: Sendable { let count = Mutex(0) }

  /// Starts the program, as the leader of a session of its own.
  init(_ program: HostedProgram, columns: Int, rows: Int) throws {
    let end = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number) = (CInt(0), CInt(0))
    guard end >= 0, ioctl(end, Self.setLock, &lock) == 0, ioctl(end, Self.getNumber, &number) == 0 else {
      throw TerminalError.system("make a pseudoterminal")
    }
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(end, UInt(TIOCSWINSZ), &size) == 0 else { throw TerminalError.system("set the terminal's size") }
    self.end = FileHandle(fileDescriptor: end, closeOnDealloc: true)
    pid = try Self.spawn(program.command, terminal: "/dev/pts/\(number)")
    processEnd = try ProcessEnd(of: pid)
  }

  /// TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)), and POSIX_SPAWN_SETSID (spawn.h): the importer does not see them.
  private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
  private static let newSession: CInt = 0x80

  /// Calls back on the main queue with what the program writes, and with its status once it has ended. Others may have
  /// its terminal for longer; they are not heard any more then.
  func listen(_ hear: @escaping @MainActor (Data) -> Void, end ended: @escaping @MainActor (CInt) -> Void) {
    Thread.detachNewThread { [end, processEnd] in
      while Self.waits(for: end, before: processEnd), Self.take(from: end, hear) > 0 {}
      let status = processEnd.status()  // A program that has closed its terminal may go on.
      var left = Self.unheardMax
      while left > 0, Self.hasMore(end) {
        let count = Self.take(from: end, hear)
        left = count > 0 ? left - count : 0
      }
      DispatchQueue.main.async { MainActor.assumeIsolated { ended(status) } }
    }
  }

  /// Waits until there is something to read, or nobody has the other end any more; false once the program has ended.
  private static func waits(for end: FileHandle, before processEnd: ProcessEnd) -> Bool {
    var signs = [end, processEnd.signal].map { pollfd(fd: $0.fileDescriptor, events: Int16(POLLIN), revents: 0) }
    while poll(&signs, nfds_t(signs.count), -1) < 0, errno == EINTR {}
    return signs[1].revents == 0
  }

  /// Whether there is something to read just now. Linux brings what is still on its way here before it answers.
  private static func hasMore(_ end: FileHandle) -> Bool {
    var sign = pollfd(fd: end.fileDescriptor, events: Int16(POLLIN), revents: 0)
    return poll(&sign, 1, 0) > 0 && sign.revents & Int16(POLLIN) != 0
  }

  /// Reads what there is, at least one byte, and has it heard; how many bytes, or 0 if nobody has the other end any
  /// more.
  private static func take(from end: FileHandle, _ hear: @escaping @MainActor (Data) -> Void) -> Int {
    let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      repeat { count = read(end.fileDescriptor, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
      count = max(count, 0)  // EIO
    }
    guard !bytes.isEmpty else { return 0 }
    let data = Data(bytes)
    DispatchQueue.main.sync { MainActor.assumeIsolated { hear(data) } }  // It reads no faster than is shown.
    return bytes.count
  }

  /// Sends what a person typed, and what the terminal answers. Nobody waits for a program that does not read: what is
  /// too much for it is left out.
  func send(_ bytes: [UInt8]) {
    let isTooMuch = unread.count.withLock { unread in
      guard unread + bytes.count <= Self.unreadMax else { return true }
      unread += bytes.count
      return false
    }
    guard !isTooMuch, !bytes.isEmpty else { return }
    writer.async { [end, unread] in
      var left = bytes[...]
      while !left.isEmpty {
        let count = left.withUnsafeBytes { write(end.fileDescriptor, $0.baseAddress, $0.count) }
        if count < 0, errno != EINTR { break }
        left.removeFirst(max(count, 0))
      }
      unread.count.withLock { $0 -= bytes.count }
    }
  }

  /// Its first terminal becomes the controlling one of the new session's leader: standard input is opened there.
  private static func spawn(_ command: [String], terminal: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    for descriptor in 1...2 as ClosedRange<CInt> { posix_spawn_file_actions_adddup2(&actions, 0, descriptor) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(newSession | CInt(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)))
    var pid: pid_t = 0
    let arguments = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    let code = posix_spawnp(&pid, command[0], &actions, &attributes, arguments, variables)
    guard code == 0 else { throw TerminalError.system("start \(command[0])", code) }
    return pid
  }

  /// What the app has, with the kind of terminal, and without what makes a process this app.
  private static var environment: [String: String] {
    var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("NIGHTJAR_") }
    variables["TERM"] = "xterm-256color"
    for name in ["COLUMNS", "LINES"] { variables[name] = nil }
    return variables
  }
}
