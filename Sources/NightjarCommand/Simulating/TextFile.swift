import FoundationEssentials
import NightjarPictures

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Text that goes into an ordinary file as a whole or not at all.
enum TextFile {
  /// Why nothing was written.
  struct Trouble: Error {
    let detail: String
  }

  /// Writes a file in the place of the one that is there. What is no ordinary file, such as a pipe or `/dev/null`, is written
  /// into: to put a file in its place would take it from everybody.
  static func write(_ text: String, to path: String) throws(Trouble) {
    var status = stat()
    let isOrdinary = stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    do { try Data(text.utf8).write(to: URL(filePath: path), options: isOrdinary ? .atomic : []) } catch {
      let code = (error as? CocoaError)?.code
      throw Trouble(
        detail: code == .fileNoSuchFile
          ? "there is no such folder." : code == .fileWriteNoPermission ? "it is not allowed." : "\(error)")
    }
  }
}

extension Context {
  /// Draws a picture into a file. To be called once the result is told, so that a path that cannot be used costs nothing
  /// of it.
  func draw(_ picture: Picture, to name: String) throws(CommandError) {
    let path = surroundings.absolute(name)
    do { try TextFile.write(picture.svg, to: path) } catch {
      throw CommandError(
        .failed, "Cannot write the picture '\(path)': \(error.detail) Name another file with --picture.")
    }
    if !wantsJSON { console.output.line("Drew \(DisplayText(name)).") }
  }
}
