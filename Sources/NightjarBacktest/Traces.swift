/// A file of recorded usage, read from beginning to end with little in memory.
public enum Traces {
  /// Reads a trace, and hands on one person's diary after the other.
  ///
  /// - Parameters:
  ///   - path: A file, packed by gzip or not; `-` for standard input.
  ///   - users: The people of interest; nil for all.
  /// - Returns: What was wrong with lines that were left out.
  /// - Throws: `TraceError` where the result would not be that of the whole file.
  static func read(
    _ path: String, users: Set<String>?, rowsMax: Int = RowSorter.rowsMax,
    _ body: (Diary) throws(TraceError) -> Void
  ) throws(TraceError) -> TraceComplaints {
    var parser = TraceParser(users: users)
    var sorter = RowSorter(rowsMax: rowsMax)
    try fill(&sorter, &parser, from: path)
    try check(parser, title(of: path))
    try write(&sorter, parser, body)
    return parser.complaints
  }

  /// What a path is called in a sentence.
  static func title(of path: String) -> String { path == "-" ? "standard input" : path }

  private static func fill(
    _ sorter: inout RowSorter, _ parser: inout TraceParser, from path: String
  ) throws(TraceError) {
    var bytes = try TraceBytes(path: path)
    var lines = TraceLines()
    func take(_ line: UnsafeRawBufferPointer?, _ number: Int) throws(TraceError) {
      if let row = try parser.row(line, number: number) { try sorter.add(row) }
    }
    var isMore = true
    while isMore {
      isMore = try bytes.next { (piece) throws(TraceError) in try lines.take(piece, take) }
    }
    try lines.end(take)
  }

  private static func check(_ parser: TraceParser, _ title: String) throws(TraceError) {
    let complaints = parser.complaints
    guard parser.hasColumns else {
      throw TraceError(.damaged, "\(title) is empty; a trace begins with its columns' names")
    }
    guard complaints.lines > 0 else { throw TraceError(.nothingToJudge, "\(title) has no lines after the first") }
    guard complaints.count * 2 <= complaints.lines else {
      let first = complaints.first.first.map { ", first line \($0.line): \($0.reason)" } ?? ""
      throw TraceError(
        .damaged, "\(complaints.count) of the \(complaints.lines) lines of \(title) cannot be read\(first)")
    }
  }

  private static func write(
    _ sorter: inout RowSorter, _ parser: TraceParser, _ body: (Diary) throws(TraceError) -> Void
  ) throws(TraceError) {
    let (apps, users) = (parser.apps, parser.users)
    var isSystem: [UInt32: Bool] = [:]
    var writer: (user: UInt32, writer: DiaryWriter)?
    try sorter.drain { (row) throws(TraceError) in
      if writer?.user != row.user {
        if var last = writer { try body(last.writer.finish()) }
        writer = (row.user, DiaryWriter(user: users[row.user], name: { apps[$0] }))
      }
      let system = isSystem[row.app] ?? SystemApps.contains(apps[row.app])
      isSystem[row.app] = system
      writer!.writer.add(row, isSystem: system)
    }
    if var last = writer { try body(last.writer.finish()) }
  }
}
