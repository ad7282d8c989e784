import FoundationEssentials
import NightjarPictures

/// Text that goes into a file as a whole or not at all.
enum TextFile {
  /// Why nothing was written.
  struct Trouble: Error {
    let detail: String
  }

  /// Writes a file in the place of whatever is there.
  static func write(_ text: String, to path: String) throws(Trouble) {
    do { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) } catch {
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
