import Foundation

/// What tests do with files.
enum Files {
  /// The bytes of a file; none if there is none.
  static func bytes(_ path: String) -> Data { FileManager.default.contents(atPath: path) ?? Data() }

  static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  static func names(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    try folder((path as NSString).deletingLastPathComponent)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// Makes a folder for its owner only, with those above it.
  static func folder(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// A new folder for one test.
  static func temporary() throws -> String {
    var template = Array("/tmp/nightjar-e2e-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
    return String(cString: made)
  }
}
