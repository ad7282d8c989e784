import Glibc

/// The streams a command writes to, and what it may write there.
public struct Console: Sendable {
  /// One of the two streams of a process.
  public struct Stream: Sendable {
    /// Whether it is a terminal whose cursor can be moved.
    public var isTerminal: Bool
    /// Whether a terminal of any kind shows it: then text from others must be escaped.
    public var isShown: Bool
    /// Writes text as it is, at once.
    public var write: @Sendable (String) -> Void
    /// Why text was lost, with everything after it; nil while nothing was.
    public var failure: @Sendable () -> WriteFailure?

    /// A stream of this kind.
    ///
    /// - Parameter isShown: If left out, the same as `isTerminal`.
    public init(
      isTerminal: Bool, isShown: Bool? = nil, write: @escaping @Sendable (String) -> Void,
      failure: @escaping @Sendable () -> WriteFailure? = { nil }
    ) {
      (self.isTerminal, self.isShown, self.write, self.failure) = (isTerminal, isShown ?? isTerminal, write, failure)
    }

    /// Writes text and ends the line.
    public func line(_ text: some StringProtocol) { write(text + "\n") }
  }

  /// For results.
  public var output: Stream
  /// For notices, errors and progress.
  public var errors: Stream
  /// Columns and lines of the terminal, queried on each call, since windows are resized.
  public var size: @Sendable () -> (columns: Int, lines: Int)
  /// Whether results may be coloured.
  public var hasColour: Bool

  /// A console of these streams.
  public init(
    output: Stream, errors: Stream, hasColour: Bool, size: @escaping @Sendable () -> (columns: Int, lines: Int)
  ) {
    (self.output, self.errors, self.hasColour, self.size) = (output, errors, hasColour, size)
  }

  /// The columns that results must fit into; nil if nothing wraps, as in a file.
  var outputColumns: Int? { output.isTerminal ? size().columns : nil }

  /// Stops a command that writes repeatedly once its results are lost.
  ///
  /// - Throws: `CommandError` without a message: the reason is reported at the end, for every command alike.
  func checkOutput() throws(CommandError) {
    if output.failure() != nil { throw CommandError.silent(.failed) }
  }
}

extension Console {
  /// The console of this process. Without a terminal, and with `NO_COLOR` (https://no-color.org) or `TERM=dumb`, there
  /// is no colour.
  public static func ofThisProcess(environment: [String: String]) -> Console {
    let isDumb = environment["TERM"] == "dumb" || environment["TERM"] == nil
    let output = Stream(descriptor: STDOUT_FILENO, isDumb: isDumb)
    let refusesColour = !(environment["NO_COLOR"] ?? "").isEmpty
    return Console(
      output: output, errors: Stream(descriptor: STDERR_FILENO, isDumb: isDumb),
      hasColour: output.isTerminal && !refusesColour, size: terminalSize)
  }

  private static func terminalSize() -> (columns: Int, lines: Int) {
    var window = winsize()
    for descriptor in [STDOUT_FILENO, STDERR_FILENO]
    where ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0 {
      return (Int(window.ws_col), max(2, Int(window.ws_row)))
    }
    return (80, 24)
  }
}

extension Console.Stream {
  /// A stream of this process. After the first failure nothing more is written, so that the output has no gaps.
  init(descriptor: Int32, isDumb: Bool) {
    let failure = FirstFailure()
    let isShown = isatty(descriptor) == 1
    self.init(
      isTerminal: isShown && !isDumb, isShown: isShown,
      write: { text in
        guard failure.noted == nil else { return }
        var text = text
        let code = text.withUTF8 { Self.writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
        if let code { failure.note(WriteFailure(code: code)) }
      }, failure: { failure.noted })
  }

  /// Writes every byte. A reader that has gone ends the process by SIGPIPE, unless that is ignored.
  ///
  /// - Returns: The `errno` of a permanent failure; nil if everything was written.
  private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN, waitUntilWritable(descriptor) { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      rest = rest.dropFirst(count)
    }
    return nil
  }

  private static func waitUntilWritable(_ descriptor: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&waiting, 1, -1) >= 0 || errno == EINTR
  }
}
