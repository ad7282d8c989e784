// Its `stdout` is a variable.
@preconcurrency import Glibc

/// Line-buffered standard output, for the app's log. To a file or a pipe it would be written in blocks, and the process
/// may be suspended or ended at any moment.
enum LineOutput {
  static func begin() { setvbuf(stdout, nil, Int32(_IOLBF), 0) }
}
