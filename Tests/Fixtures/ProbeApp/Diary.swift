import Foundation

/// What the probe heard, one JSON object a line in `Documents/heard.jsonl`, synced before the delegate call returns.
final class Diary {
  /// One line.
  struct Line: Codable {
    /// The delegate call, or `queued` and `handlerCalled` for what the probe itself did.
    var call: String
    var pid: Int32
    var task: Int?
    var name: String?
    /// Bytes of a finished file, or the count of progress.
    var count: Int64?
    var status: Int?
    /// The code of a `URLError`.
    var error: Int?
    /// The error in words.
    var detail: String?
    var session: String?
  }

  private let path: String

  init(at path: String) { self.path = path }

  /// Appends a line and syncs it.
  func write(_ line: Line) {
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
  func lines() -> [Line] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { try? JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }
}
