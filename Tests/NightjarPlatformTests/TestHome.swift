import Glibc
import NightjarModel
import NightjarPlatform
import Testing

/// A home of its own in a temporary folder, gone when the test is over.
final class TestHome: Sendable {
  let root: String
  let home: Home

  init() throws {
    var template = Array("/tmp/nightjar-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw PlatformError(.system(errno), "mkdtemp") }
    root = String(cString: made)
    home = try Home(environment: ["NIGHTJAR_HOME": root + "/home"])
    try home.prepare()
  }

  deinit { Self.remove(root) }

  /// Whether mounting succeeds: it is tried once, since even root may lack the right in a container.
  static let mayMount: Bool = {
    guard let test = try? TestHome() else { return false }
    defer { umount2(test.root, Int32(MNT_DETACH)) }
    return mount(test.root, test.root, nil, UInt(MS_BIND), nil) == 0
  }()

  /// A file with this text in the temporary folder.
  func file(_ name: String, _ text: String, mode: mode_t = 0o600) throws -> String {
    let path = root + "/" + name
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    try #require(file >= 0)
    defer { close(file) }
    let bytes = Array(text.utf8)
    try #require(write(file, bytes, bytes.count) == bytes.count)
    return path
  }

  /// Makes a folder and those above it.
  func folder(_ name: String) throws -> String {
    var path = root
    for part in name.split(separator: "/") {
      path += "/" + part
      try #require(mkdir(path, 0o755) == 0 || errno == EEXIST)
    }
    return path
  }

  /// Makes a bundle that runs a shell script. `info` is added to the dictionary.
  func bundle(
    _ id: String = "dev.test.App", script: String = "exit 0", info: String = "", named bundle: String = "Test"
  ) throws -> String {
    let name = "source/\(id)/\(bundle).app"
    let path = try folder(name)
    _ = try file(
      name + "/Info.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>\(id)</string>
      <key>CFBundleExecutable</key><string>run</string>
      \(info)
      </dict></plist>
      """)
    _ = try file(name + "/run", "#!/bin/sh\n\(script)\n", mode: 0o755)
    return path
  }

  /// The text of a file; empty if there is none.
  static func text(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }

  static func mode(_ path: String) -> mode_t? { status(path).map { $0.st_mode & 0o777 } }

  static func remove(_ path: String) {
    guard let status = status(path) else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    chmod(path, 0o700)
    for name in names(path) { remove(path + "/" + name) }
    rmdir(path)
  }

  static func names(_ path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}

/// The error that a call throws; nil if it throws none.
func error<R>(of call: () throws(PlatformError) -> R) -> PlatformError? {
  do throws(PlatformError) {
    _ = try call()
    return nil
  } catch {
    return error
  }
}
