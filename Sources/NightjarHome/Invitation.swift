import Glibc

/// A file that leads its reader's browser to the home screen, with a code that lets it in.
///
/// Only its user can read it, so the code is seen neither among a process's arguments nor by other users; the page is told
/// it behind a `#`, which no browser sends anywhere, and strikes it out of the history at once.
struct Invitation: Sendable {
  let path: String
  let address: String

  /// Writes the file, in the place of an earlier one. It is there whole or not at all.
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

  /// Takes the file away.
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
