import Foundation
import Patience
import TestSpawn

/// A process that a test started. What it says is appended to a file; it ends with this object at the latest.
final class Spawned {
  let pid: pid_t
  private let said: String
  private let saidBefore: Int
  private var status: Int32?

  /// Starts a program with these variables and no others, a file as its standard input and, as descriptor 3, perhaps a
  /// socket.
  init(
    _ command: [String], environment: [String: String], input: String = "/dev/null", output: String,
    socket: Int32? = nil
  ) throws {
    said = output
    saidBefore = Files.bytes(output).count
    pid = try spawn(
      command, environment: environment.map { "\($0.key)=\($0.value)" }, input: input, output: .file(output),
      socket: socket)
  }

  deinit { crash() }

  /// Everything that it has said so far.
  var text: String { String(decoding: Files.bytes(said).dropFirst(saidBefore), as: UTF8.self) }

  /// How it ended: its status, or 128 and the number of the signal; nil while it runs.
  var end: Int32? {
    if status == nil {
      var raw: Int32 = 0
      if waitpid(pid, &raw, WNOHANG) == pid { status = Self.meaning(of: raw) }
    }
    return status
  }

  /// Waits for its end.
  func ended() async throws -> Int32 {
    do { return try await eventually("the end of process \(pid)") { end } } catch let error as NeverHappened {
      throw NeverHappened(description: "\(error); it said: \(text)")
    }
  }

  func send(_ signal: Int32) { if end == nil { kill(pid, signal) } }

  /// Kills it, and returns when it is gone.
  func crash() {
    guard end == nil else { return }
    kill(pid, SIGKILL)
    wait()
  }

  /// Holds the thread until it has ended, which must be soon.
  @discardableResult
  func wait() -> Int32 {
    if let end { return end }
    var raw: Int32 = 0
    while waitpid(pid, &raw, 0) == -1, errno == EINTR {}
    status = Self.meaning(of: raw)
    return Self.meaning(of: raw)
  }

  private static func meaning(of raw: Int32) -> Int32 { raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + raw & 0x7F }
}
