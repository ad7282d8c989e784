import Foundation
import GRDB

/// How much of each download was safe on the disk, as the daemon's database has it. No daemon is asked.
struct SafePoints {
  /// Bytes by transfer.
  let bytes: [Int64: Int64]

  /// Reads a copy, so that the daemon's own files stay untouched.
  ///
  /// While a daemon runs, the copy may be out of step with itself, and is then refused or a moment old.
  init(database: String, copyingTo folder: String) throws {
    let copy = folder + "/copy.sqlite"
    defer { for ending in ["-wal", "-shm", ""] { unlink(copy + ending) } }
    for ending in ["-wal", ""] {
      unlink(copy + ending)
      guard FileManager.default.fileExists(atPath: database + ending) else { continue }
      try FileManager.default.copyItem(atPath: database + ending, toPath: copy + ending)
    }
    let queue = try DatabaseQueue(path: copy)
    defer { try? queue.close() }
    bytes = try queue.read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT id, coalesce(resume_offset, 0) AS offset FROM transfer")
      return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"], $0["offset"]) })
    }
  }
}
