import Foundation
import NightjarWire
import Varlink

/// The calls of a session that the daemon has not accepted, kept in a file in the app's container.
///
/// A call is written here before it is sent, so that it survives the death of the app and of the daemon. It is struck
/// out as soon as the daemon has accepted it, before any delegate is told of it. The file has JSON lines and is
/// appended to: a line with a call is an entry, a line without one strikes out the entry of that number. An unfinished
/// last line was never promised to a caller, and is dropped. Used under the link's lock only.
struct Outbox {
  private struct Line: Codable {
    var entry: Int
    var call: Call?
  }

  private let path: String
  private let syncFile: @Sendable (OwnedDescriptor) throws(FileTrouble) -> Void
  private var file: OwnedDescriptor
  private var size = 0
  private var next = 1
  /// The entries that are not struck out.
  private var open: [Int: Call] = [:]
  /// The open entries that queue a task, by its identifier.
  private var enqueues: [Int64: Int] = [:]
  /// The number of entries struck out since the file was last rewritten.
  private var struck = 0
  /// Whether entries are synced, so that their strikes must be, too.
  private var isSynced = false

  /// Opens or creates the file, and reads the entries of an earlier life.
  init(
    at path: String,
    syncingBy syncFile: @escaping @Sendable (OwnedDescriptor) throws(FileTrouble) -> Void = {
      (file) throws(FileTrouble) in try file.sync()
    }
  ) throws(FileTrouble) {
    (self.path, self.syncFile) = (path, syncFile)
    file = try OwnedDescriptor(opening: path, O_RDWR | O_CREAT)
    try load()
  }

  /// The open entries, in the order of the calls.
  var entries: [(number: Int, call: Call)] {
    open.sorted { $0.key < $1.key }.map { (number: $0.key, call: $0.value) }
  }

  /// The open entry that queues a task.
  func entry(ofTask task: Int64) -> Int? { enqueues[task] }

  /// Appends a call; with `synced` it survives a power cut, too.
  mutating func append(_ call: Call, synced: Bool) throws(FileTrouble) -> Int {
    let (number, before) = (next, size)
    do throws(FileTrouble) {
      try write(Line(entry: number, call: call))
      if synced { try sync() }
    } catch {
      // The call counts as not made, so a later life must not find it.
      if (try? file.truncate(to: before)) != nil { size = before }
      throw error
    }
    (open[number], next) = (call, number + 1)
    if let task = call.enqueued { enqueues[task.task] = number }
    return number
  }

  /// Strikes an entry out. Without entries the file is empty again.
  mutating func strike(_ number: Int) throws(FileTrouble) {
    guard let call = open.removeValue(forKey: number) else { return }
    if let task = call.enqueued { enqueues[task.task] = nil }
    if open.isEmpty { return try empty() }
    try write(Line(entry: number, call: nil))
    struck += 1
    if isSynced { try file.sync() }
    if size > LinkLimits.outboxBytesMax, struck > open.count { try rewrite() }
  }

  /// Syncs the file, so that everything written survives a power cut.
  mutating func sync() throws(FileTrouble) {
    try syncFile(file)
    isSynced = true
  }

  private mutating func load() throws(FileTrouble) {
    let bytes = try file.contents()
    let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    for text in bytes[..<end].split(separator: UInt8(ascii: "\n")) {
      guard let line = try? JSONDecoder().decode(Line.self, from: Data(text)), 1..<1 << 60 ~= line.entry else {
        continue
      }
      open[line.entry] = line.call
      next = max(next, line.entry + 1)
    }
    try file.truncate(to: end)
    size = end
    for (number, call) in open { if let task = call.enqueued { enqueues[task.task] = number } }
    isSynced = end > 0
    if open.isEmpty { try empty() }
  }

  private mutating func write(_ line: Line) throws(FileTrouble) {
    let bytes = Self.bytes(of: line)
    try file.write(bytes, at: size)
    size += bytes.count
  }

  private static func bytes(of line: Line) -> [UInt8] {
    guard let bytes = try? Wire.encode(line) else { preconditionFailure("no JSON for outbox line \(line)") }
    return bytes + [UInt8(ascii: "\n")]
  }

  private mutating func empty() throws(FileTrouble) {
    guard size > 0 else { return }
    try file.truncate(to: 0)
    if isSynced { try file.sync() }
    (size, struck, isSynced) = (0, 0, false)
  }

  /// Replaces the file by one with only the open entries, to free the space of struck ones. The new file is written and
  /// synced before it is renamed, so that the old one serves until then.
  private mutating func rewrite() throws(FileTrouble) {
    let bytes = entries.flatMap { Self.bytes(of: Line(entry: $0.number, call: $0.call)) }
    let fresh = try OwnedDescriptor(opening: path + ".new", O_RDWR | O_CREAT | O_TRUNC)
    try fresh.write(bytes, at: 0)
    try fresh.sync()
    guard rename(path + ".new", path) == 0 else { throw FileTrouble("replace", path) }
    (file, size, struck) = (fresh, bytes.count, 0)
  }
}
