import Foundation
import NightjarWire
import TestSpawn

/// A life of the probe app, as a process of its own.
final class ProbeProcess {
  /// Its process id.
  let pid: pid_t
  private let container: String
  private var isReaped = false

  /// Starts the probe in a container, as the launcher does.
  init(container: String, socket: String) throws {
    self.container = container
    let executable = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/ProbeApp"
    let environment = [
      "HOME=\(container)", "CFFIXED_USER_HOME=\(container)", "TMPDIR=\(container)/tmp", "NIGHTJAR_SOCKET=\(socket)",
      "NIGHTJAR_APP=dev.nightjar.ProbeApp", "NIGHTJAR_LIFE=1", "PATH=/usr/bin:/bin",
    ]
    pid = try spawn([executable], environment: environment, output: .ours)
  }

  deinit {
    guard !isReaped else { return }
    kill(pid, SIGKILL)
    _ = end()
  }

  /// Makes a container with instructions for probes.
  static func prepare(_ container: String, _ instructions: String) throws {
    for folder in ["Documents", "tmp"] {
      try FileManager.default.createDirectory(atPath: container + "/" + folder, withIntermediateDirectories: true)
    }
    try Data(instructions.utf8).write(to: URL(fileURLWithPath: container + "/Documents/instructions.json"))
  }

  /// Waits for its end; hands back the status of wait(2). One that does not end is killed.
  func end() -> Int32 {
    let (pid, ended) = (pid, DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      if ended.wait(timeout: .now() + 60) == .timedOut { kill(pid, SIGKILL) }
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) == -1, errno == EINTR {}
    ended.signal()
    isReaped = true
    return status
  }

  /// The calls that all lives of this container have heard.
  static func heard(in container: String) -> [String] {
    struct Line: Decodable {
      var call: String
      var name: String?
    }
    let text = (try? String(contentsOfFile: container + "/Documents/heard.jsonl", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { try? JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
      .map { line in line.name.map { "\(line.call) \($0)" } ?? line.call }
  }
}
