import FoundationEssentials

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
