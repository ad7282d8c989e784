import Glibc

/// A file that leads a browser to the home screen, with a code that lets it in.
///
/// Only its user can read it, so the code shows neither in a process's arguments nor to other users. The page gets it
/// after a `#`, which browsers send nowhere, and removes it from the history at once.
struct Invitation: Sendable {
  let path: String
  let address: String

  /// Writes the file atomically, in place of an earlier one.
  ///
  /// - Throws: `HomeError` if it cannot be written; the earlier one stays.
  func write(_ code: String) throws(HomeError) {
    let draft = path + ".new"
    unlink(draft)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failed(draft) }
    defer { close(file) }
    let bytes = Array(text(code).utf8)
    guard Glibc.write(file, bytes, bytes.count) == bytes.count, rename(draft, path) == 0 else { throw failed(draft) }
  }

  /// Removes the file.
  func remove() { unlink(path) }

  private func text(_ code: String) -> String {
    """
    <!doctype html>
    <meta charset="utf-8">
    <meta name="referrer" content="no-referrer">
    <title>Nightjar</title>
    <script>location.replace("\(address)#\(code)")</script>
    <noscript>The home screen needs JavaScript. It is at \(address), and the code is \(code).</noscript>

    """
  }

  private func failed(_ path: String) -> HomeError {
    HomeError(.unwritable, "\(path) cannot be written: \(String(cString: strerror(errno))).")
  }
}
