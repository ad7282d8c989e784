/// The columns of a trace, found by the names in its first line: those of a log of foreground apps, or LSApp's.
struct TraceColumns: Hashable {
  /// How many columns a line has.
  let count: Int
  /// Which of them is the person's name.
  let user: Int
  /// Which is the time on the person's clock.
  let time: Int
  /// Which is the app.
  let app: Int
  /// Which says what happened; nil where every line means that the app is in the foreground.
  let event: Int?

  /// Reads the first line of a file.
  init(header: UnsafeRawBufferPointer) throws(TraceError) {
    var text = String(decoding: header, as: UTF8.self)
    if text.unicodeScalars.first == "\u{feff}" { text.unicodeScalars.removeFirst() }
    let names = text.split(separator: "\t", omittingEmptySubsequences: false).map { Self.unquoted($0).lowercased() }
    let places = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    guard let user = places["user_id"], let time = places["timestamp"], let app = places["app_name"],
      places["platform"] != nil || places["event_type"] != nil
    else { throw Self.unknown(text) }
    (self.user, self.time, self.app, event, count) = (user, time, app, places["event_type"], names.count)
  }

  private static func unquoted(_ name: Substring) -> Substring {
    name.count >= 2 && name.first == "\"" && name.last == "\"" ? name.dropFirst().dropLast() : name
  }

  /// The error for a first line that names no columns.
  private static func unknown(_ text: String) -> TraceError {
    let found = text.prefix(120)
    return noColumns("it is \(found.isEmpty ? "empty" : "“\(found)”")")
  }

  /// The error for a first line that is too long to be read.
  static var tooLong: TraceError { noColumns("it is longer than \(TraceLines.bytesMax) bytes") }

  private static func noColumns(_ flaw: String) -> TraceError {
    TraceError(
      .damaged,
      "line 1 has to name the columns, with tabs between them: user_id timestamp app_name platform, or user_id "
        + "session_id timestamp app_name event_type; \(flaw)")
  }
}
