// Its `stdout` is a variable.
@preconcurrency import Glibc

/// Standard output as an app's log wants it: each line goes there at once. A file or a pipe would get it by the block, and the
/// process may be suspended or ended at any moment.
enum LineOutput {
  static func begin() { setvbuf(stdout, nil, Int32(_IOLBF), 0) }
}
