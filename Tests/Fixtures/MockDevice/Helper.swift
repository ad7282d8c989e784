import Glibc
import TestSpawn

/// What a test needs of the machine and does not find there.
public struct Missing: Error, CustomStringConvertible {
  /// What is missing, and what installs it.
  public let description: String

  init(_ what: String) { description = "\(what)\nThe tests need it: scripts/prepare test installs it." }
}

/// A program that pretends something, started by a test and ended by it, by its process id.
final class Helper: Sendable {
  let pid: pid_t

  /// Starts a program, found by `PATH`; what it says goes to a file.
  init(_ command: [String], environment: [String: String], output: String) throws {
    do throws(SpawnFailure) {
      pid = try spawn(command, environment: environment.map { "\($0.key)=\($0.value)" }, output: .file(output))
    } catch { throw Missing("\(error)") }
  }

  /// Waits for its end; its status, or 128 and more for a signal.
  func end() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) == -1, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
  }

  func kill() {
    _ = Glibc.kill(pid, SIGKILL)
    _ = end()
  }

  /// A folder of one's own.
  static func folder() -> String {
    var template = Array("/tmp/nightjar-mock-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { return "/nowhere" }
    return String(cString: made)
  }

  static func text(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    return String(decoding: bytes.prefix(fread(&bytes, 1, bytes.count, file)), as: UTF8.self)
  }
}
