import Foundation

/// What the probe heard, one JSON object a line in `Documents/heard.jsonl`, synced before the delegate call returns.
final class Diary {
  private let path: String

  init(at path: String) { self.path = path }

  /// Appends a line and syncs it.
  func write(_ line: Heard) {
    guard let data = try? JSONEncoder().encode(line) else { fatalError("no JSON for \(line)") }
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { fatalError("cannot open \(path): \(String(cString: strerror(errno)))") }
    defer { close(file) }
    let bytes = Array(data) + [UInt8(ascii: "\n")]
    guard Foundation.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
      fatalError("cannot write \(path): \(String(cString: strerror(errno)))")
    }
  }

  /// All whole lines; one that a crash tore is not among them.
  func lines() -> [Heard] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { try? JSONDecoder().decode(Heard.self, from: Data($0.utf8)) }
  }
}
