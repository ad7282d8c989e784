import Foundation
import Testing

/// A folder of a test's own, removed when the test lets go of it.
final class Folder {
  let path: String

  /// The database's path in it.
  var database: String { path + "/nightjar.sqlite" }

  /// Everything that lies in it, in order.
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/nightjar-store-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Reads and writes whole files, the way a fault would.
enum Bytes {
  static func of(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

  static func put(_ bytes: some Sequence<UInt8>, at path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// Writes into a file that stays the same file.
  static func overwrite(_ path: String, at offset: UInt64, with bytes: [UInt8]) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: bytes)
    try handle.close()
  }

  static func mode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }
}
