import Foundation

/// A log that another process writes: gives each whole line once.
struct GrowingLog {
  private let path: String
  private var offset: UInt64 = 0
  private var rest = Data()

  init(_ path: String) { self.path = path }

  /// The lines that were finished since the last time; none while the file is not there.
  mutating func newLines() -> [String] {
    guard let file = FileHandle(forReadingAtPath: path) else { return [] }
    defer { try? file.close() }
    guard (try? file.seek(toOffset: offset)) != nil, let bytes = try? file.readToEnd() else { return [] }
    offset += UInt64(bytes.count)
    rest += bytes
    guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let lines = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
    rest = Data(rest[(end + 1)...])
    return lines.split(separator: "\n").map(String.init)
  }
}
