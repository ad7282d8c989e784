import Foundation

/// What tests do with files.
enum Files {
  /// The bytes of a file; none if there is none.
  static func bytes(_ path: String) -> Data { FileManager.default.contents(atPath: path) ?? Data() }

  static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// The size of a file; 0 if there is none.
  static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_size : 0
  }

  static func names(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    try folder((path as NSString).deletingLastPathComponent)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// Makes a file that takes up so much of the disk.
  static func allocate(_ size: Int, at path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    guard posix_fallocate(file, 0, size) == 0 else { throw CocoaError(.fileWriteOutOfSpace) }
  }

  /// Makes a file that takes up what is left of a disk.
  static func fill(diskBy path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    let block = [UInt8](repeating: 0, count: 4096)
    while Glibc.write(file, block, block.count) > 0 {}
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

extension Home {
  /// The files of the home that hold a text, but for what an app was told by the test, and its program.
  func files(holding secret: String) -> [String] {
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return files.filter { file in
      !file.hasSuffix("instructions.json") && !file.hasSuffix("/ProbeApp")
        && Files.bytes(folder + "/" + file).range(of: Data(secret.utf8)) != nil
    }
  }
}
