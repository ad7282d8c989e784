import FoundationEssentials
import NightjarPictures

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Reads text from any file that can be opened, and writes it to a regular file completely or not at all.
enum TextFile {
  /// Why nothing was written or read.
  struct Trouble: Error {
    /// The system's `errno`.
    let code: Int32

    /// The system's words.
    var words: String { String(cString: strerror(code)) }
  }

  /// The bytes of a file, a pipe or a device; if there are more than `bytesMax`, enough to show that.
  static func bytes(of path: String, max bytesMax: Int) throws(Trouble) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Trouble(code: errno) }
    defer { close(file) }
    var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while bytes.count <= bytesMax {
      let count = read(file, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Trouble(code: errno) }
      if count == 0 { break }
      bytes += piece[..<count]
    }
    return bytes
  }

  /// Writes a file in place of an existing one. A pipe or device such as `/dev/null` is written into instead: replacing
  /// it would take it from all processes.
  static func write(_ text: String, to path: String) throws(Trouble) {
    var status = stat()
    let isOrdinary = stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    do { try Data(text.utf8).write(to: URL(filePath: path), options: isOrdinary ? .atomic : []) } catch {
      throw Trouble(code: ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue ?? EIO)
    }
  }
}

extension Context {
  /// Refuses a picture whose folder is not there, before any work is done for it.
  func checkFolder(ofPicture name: String) throws(CommandError) {
    let path = try surroundings.absolute(name)
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "/"
    var status = stat()
    guard stat(folder, &status) != 0, [ENOENT, ENOTDIR].contains(errno) else { return }
    throw CommandError(
      .usage, "There is no folder \(folder) for the picture; create it first (mkdir -p), or name another file.")
  }

  /// Writes a picture to a file. To be called after the result is shown, so that an unusable path does not lose it.
  func draw(_ picture: Picture, to name: String) throws(CommandError) {
    let path = try surroundings.absolute(name)
    do { try TextFile.write(picture.svg, to: path) } catch {
      let why = error.code == ENOENT ? "there is no such folder" : error.words
      throw CommandError(.failed, "Cannot write the picture '\(path)': \(why). Name another file with --picture.")
    }
    if !wantsJSON { console.output.line("Drew \(DisplayText(name)).") }
  }
}
