import Glibc

/// Sorts rows by person and time, however many there are: those beyond a bound lie sorted in a temporary file
/// meanwhile.
///
/// Rows of one person and one second stay in the order in which they came, since that is the order in which they
/// happened; equal rows that follow each other are given once. The file has no name, and goes with the process.
struct RowSorter {
  /// How many rows are in memory.
  static let rowsMax = 4 << 20

  private let rowsMax: Int
  private var rows: [TraceRow] = []
  private var file: SpillFile?

  init(rowsMax: Int = RowSorter.rowsMax) { self.rowsMax = rowsMax }

  /// Takes a row.
  mutating func add(_ row: TraceRow) throws(TraceError) {
    if rows.count == rowsMax { try spill() }
    rows.append(row)
  }

  /// Gives all rows in order. To be called once.
  mutating func drain(_ body: (TraceRow) throws(TraceError) -> Void) throws(TraceError) {
    var previous: TraceRow?
    func once(_ row: TraceRow) throws(TraceError) {
      if row != previous { try body(row) }
      previous = row
    }
    guard let file else {
      Self.sort(&rows)
      for row in rows { try once(row) }
      return
    }
    try spill()
    rows = []
    var merge = RunMerge(file.runs, rowsMax: rowsMax)
    while let row = try merge.next(file) { try once(row) }
  }

  private mutating func spill() throws(TraceError) {
    Self.sort(&rows)
    if file == nil { file = try SpillFile() }
    try file?.append(rows)
    rows.removeAll(keepingCapacity: true)
  }

  /// Rows that are in order already cost one pass. The library's sort is stable, and promises to stay so.
  private static func sort(_ rows: inout [TraceRow]) {
    let isSorted = rows.indices.dropFirst().allSatisfy { !rows[$0].comes(before: rows[$0 - 1]) }
    if !isSorted { rows.sort { $0.comes(before: $1) } }
  }
}

extension TraceRow {
  /// The order of person and time.
  func comes(before other: TraceRow) -> Bool {
    user != other.user ? user < other.user : time < other.time
  }
}

/// Sorted runs of rows in a file without a name.
final class SpillFile {
  private let descriptor: Int32
  /// Where each run lies, in rows.
  private(set) var runs: [Range<Int>] = []

  init(folder: String = SpillFile.folder()) throws(TraceError) {
    descriptor = Glibc.open(folder, O_TMPFILE_FLAGS | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Self.trouble("A temporary file cannot be made in \(folder); TMPDIR names another folder")
    }
  }

  deinit { close(descriptor) }

  /// Where it lies, by the variable `TMPDIR`; an empty one counts as none.
  static func folder(_ variable: String? = getenv("TMPDIR").map { String(cString: $0) }) -> String {
    variable.flatMap { $0.isEmpty ? nil : $0 } ?? "/var/tmp"
  }

  func append(_ rows: [TraceRow]) throws(TraceError) {
    let begin = runs.last?.upperBound ?? 0
    let isWritten = rows.withUnsafeBytes { bytes in
      Self.all(bytes.count) { done in
        pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(begin * Self.rowSize + done))
      }
    }
    guard isWritten else { throw Self.trouble("A temporary file cannot be written; TMPDIR names another folder") }
    runs.append(begin..<(begin + rows.count))
  }

  /// Reads these rows into the buffer.
  func read(_ range: Range<Int>, into rows: inout [TraceRow]) throws(TraceError) {
    let blank = TraceRow(user: 0, time: 0, app: 0, kind: .seen)
    rows = [TraceRow](repeating: blank, count: range.count)
    let isRead = rows.withUnsafeMutableBytes { bytes in
      Self.all(bytes.count) { done in
        pread(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(range.lowerBound * Self.rowSize + done))
      }
    }
    guard isRead else { throw Self.trouble("A temporary file cannot be read") }
  }

  private static func all(_ count: Int, _ move: (Int) -> Int) -> Bool {
    var done = 0
    while done < count {
      let moved = move(done)
      if moved > 0 { done += moved } else if moved == 0 || errno != EINTR { return false }
    }
    return true
  }

  private static func trouble(_ what: String) -> TraceError {
    TraceError(.noRoom, "\(what): \(String(cString: strerror(errno)))")
  }

  private static let rowSize = MemoryLayout<TraceRow>.stride
}

/// Linux's O_TMPFILE, a macro that Swift does not see (open(2)).
private let O_TMPFILE_FLAGS: Int32 = 0o20_000_000 | O_DIRECTORY

/// Merges sorted runs: a heap of the runs by the row that each has to give next; of equals the earlier run's comes
/// first.
struct RunMerge {
  private struct Run {
    var rest: Range<Int>
    var rows: [TraceRow] = []
    var place = 0
  }

  private let bufferSize: Int
  private var runs: [Run]
  private var heap: [Int] = []
  private var isBegun = false

  /// - Parameter rowsMax: How many rows all buffers together may have.
  init(_ ranges: [Range<Int>], rowsMax: Int) {
    runs = ranges.map { Run(rest: $0) }
    bufferSize = max(64, rowsMax / max(1, ranges.count))
  }

  mutating func next(_ file: SpillFile) throws(TraceError) -> TraceRow? {
    if !isBegun { try begin(file) }
    guard let top = heap.first else { return nil }
    let row = runs[top].rows[runs[top].place]
    if try !advance(top, file) {
      heap[0] = heap[heap.count - 1]
      heap.removeLast()
    }
    sink(0)
    return row
  }

  private mutating func begin(_ file: SpillFile) throws(TraceError) {
    isBegun = true
    for index in runs.indices {
      runs[index].place = -1
      if try advance(index, file) { heap.append(index) }
    }
    for place in (0..<(heap.count / 2 + 1)).reversed() { sink(place) }
  }

  /// Moves a run to its next row; false where it has none.
  private mutating func advance(_ index: Int, _ file: SpillFile) throws(TraceError) -> Bool {
    runs[index].place += 1
    if runs[index].place < runs[index].rows.count { return true }
    let rest = runs[index].rest
    guard !rest.isEmpty else { return false }
    let end = min(rest.upperBound, rest.lowerBound + bufferSize)
    try file.read(rest.lowerBound..<end, into: &runs[index].rows)
    (runs[index].rest, runs[index].place) = (end..<rest.upperBound, 0)
    return true
  }

  private mutating func sink(_ start: Int) {
    var place = start
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count && isLess(heap[child], heap[least]) {
        least = child
      }
      guard least != place else { return }
      heap.swapAt(place, least)
      place = least
    }
  }

  private func isLess(_ a: Int, _ b: Int) -> Bool {
    let (first, second) = (runs[a].rows[runs[a].place], runs[b].rows[runs[b].place])
    return first.comes(before: second) || (a < b && !second.comes(before: first))
  }
}
