import Glibc

/// The standard error, for messages to a person that no delegate is told.
enum Console {
  static func warn(_ text: String) {
    let line = Array("Nightjar: \(text)\n".utf8)
    _ = unlessInterrupted { write(STDERR_FILENO, line, line.count) }  // FileHandle ends the process on a full disk.
  }
}
