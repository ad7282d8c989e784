import NightjarModel
import Synchronization

/// Shares out the free space of the staging area's file system, apart from a reserve for the database.
///
/// Each writer has a ``Share`` that grows by one helping after another, so that writing within a helping needs neither
/// a lock nor a system call. No sum is kept: at each request the file system says what is free, and the shares say how
/// much was granted and still counts as free. So nothing can drift, and a writer that has ended no longer counts.
///
/// A writer that knows the length of its file is promised all of it, or told at once that there is no room. A promise
/// holds against writers that come later or do not know their length: if several files do not fit together, the first
/// ones come whole. It does not help against what other programs write; then writers with promises get what is left, as
/// they ask for it.
final class FreeSpace: Sendable {
  private let spare: Int64
  /// The most that a share grows by at a time.
  private let helpingMax: Int64
  /// Whether bytes count as taken only when they are synced.
  private let countsLate: Bool
  private let look: @Sendable () -> Int64?
  private let shares = Mutex<[ObjectIdentifier: Figures]>([:])

  /// - Parameters:
  ///   - spare: What is left alone, in bytes.
  ///   - helpingMax: The most bytes that a share grows by at a time.
  ///   - countsLate: Whether the file system takes written bytes from what is free only when they go to the disk.
  ///   - look: Says what is free; nil where there is no bound.
  init(sparing spare: Int64, helpingMax: Int64, countsLate: Bool, look: @escaping @Sendable () -> Int64?) {
    (self.spare, self.helpingMax, self.countsLate, self.look) = (spare, helpingMax, countsLate, look)
  }

  /// The least that a share grows by, if there is so much. A file that has come far asks for more at a time.
  static let helpingMin: Int64 = 1 << 20

  /// The share of a file that is `offset` bytes long already.
  func share(of path: String, from offset: Int64) -> Share {
    let figures = Figures(offset)
    shares.withLock { $0[ObjectIdentifier(figures)] = figures }
    return Share(path: path, figures, of: self)
  }

  /// Offsets in one file: up to where its bytes no longer count as free, and up to where it may be written.
  fileprivate final class Figures: Sendable {
    let counted: Atomic<Int64>
    let granted: Atomic<Int64>
    let promised = Atomic<Int64>(0)

    init(_ offset: Int64) {
      counted = Atomic(offset)
      granted = Atomic(offset)
    }

    /// Bytes that may be written at any moment, or are written and still count as free.
    var given: Int64 { max(granted.load(ordering: .acquiring) - counted.load(ordering: .acquiring), 0) }
    /// Bytes that are granted or promised and still count as free.
    var owed: Int64 { max(given, promised.load(ordering: .acquiring) - counted.load(ordering: .acquiring)) }
  }

  /// What one file may take up. Given back with its last owner.
  final class Share: Sendable {
    private let path: String
    private let figures: Figures
    private let space: FreeSpace

    fileprivate init(path: String, _ figures: Figures, of space: FreeSpace) {
      (self.path, self.figures, self.space) = (path, figures, space)
    }

    deinit { space.shares.withLock { $0[ObjectIdentifier(figures)] = nil } }

    /// Notes up to where the file is written.
    func wrote(upTo offset: Int64) {
      if !space.countsLate { figures.counted.store(offset, ordering: .releasing) }
    }

    /// Notes up to where the file is on the disk.
    func synced(upTo offset: Int64) {
      if space.countsLate { figures.counted.store(offset, ordering: .releasing) }
    }

    /// Asks whether the file may be written up to there. `diskFull` if it may not.
    func admit(upTo end: Int64) throws(TransferFailure) {
      guard end > figures.granted.load(ordering: .acquiring) else { return }
      try space.grant(figures, upTo: end, of: path)
    }

    /// Asks for the room up to the file's end. `diskFull` if there is not that much.
    func reserve(upTo length: Int64) throws(TransferFailure) { try space.promise(figures, length, of: path) }

    /// Begins again with an empty file.
    func restart() {
      figures.promised.store(0, ordering: .releasing)
      figures.granted.store(0, ordering: .releasing)
      figures.counted.store(0, ordering: .releasing)
    }
  }
}

extension FreeSpace {
  private func grant(_ figures: Figures, upTo end: Int64, of path: String) throws(TransferFailure) {
    try shares.withLock { shares throws(TransferFailure) in
      let promised = figures.promised.load(ordering: .acquiring)
      let others = taken(by: shares, beside: figures) { promised > 0 ? $0.given : $0.owed }
      let needed = end - figures.counted.load(ordering: .acquiring)
      let left = try room(for: needed, beside: others, of: path) - needed
      let helping = min(max(end, Self.helpingMin), helpingMax, left)
      figures.granted.store(promised > 0 ? max(end, min(end + helping, promised)) : end + helping, ordering: .releasing)
    }
  }

  private func promise(_ figures: Figures, _ length: Int64, of path: String) throws(TransferFailure) {
    try shares.withLock { shares throws(TransferFailure) in
      let others = taken(by: shares, beside: figures) { $0.owed }
      let counted = figures.counted.load(ordering: .acquiring)
      _ = try room(for: length - counted, beside: others, of: path)
      let granted = max(figures.granted.load(ordering: .acquiring), min(length, counted + Self.helpingMin))
      figures.promised.store(length, ordering: .releasing)
      figures.granted.store(granted, ordering: .releasing)
    }
  }

  /// What the other files have. Counted before the free space is read: bytes written in between then count twice rather
  /// than not at all.
  private func taken(
    by shares: [ObjectIdentifier: Figures], beside own: Figures, _ bytes: (Figures) -> Int64
  ) -> Int64 {
    shares.values.reduce(0) { $1 === own ? $0 : $0.addingUpToMax(bytes($1)) }
  }

  /// The free space beyond the reserve and what others have; `diskFull` if it is not enough.
  private func room(for bytes: Int64, beside others: Int64, of path: String) throws(TransferFailure) -> Int64 {
    guard let free = look() else { return .max }
    let kept = spare.addingUpToMax(others)
    guard OpenFile.hasRoom(in: free, for: bytes, beyond: kept) else {
      throw .noRoom(for: bytes, of: path, in: free, beyond: spare, beside: others)
    }
    let (room, overflows) = free.subtractingReportingOverflow(kept)
    return overflows ? .max : room
  }
}

extension Int64 {
  /// The sum, or the largest number if it overflows.
  fileprivate func addingUpToMax(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}

extension TransferFailure {
  /// `bytes` more would leave less free space than is promised to others and reserved.
  static func noRoom(
    for bytes: Int64, of path: String, in free: Int64, beyond spare: Int64, beside others: Int64 = 0
  ) -> TransferFailure {
    let promise = others >> 20 > 0 ? "; \(others.inWords(.down)) are promised to others" : ""
    let needed = bytes < diskMax ? bytes.inWords(.up) : "more than any disk holds,"
    let wish = bytes > 0 ? "\(needed) and \(spare.inWords(.up))" : spare.inWords(.up)
    return TransferFailure(
      .diskFull, "\(free.inWords(.down)) are free for \(path), which needs \(wish) to spare\(promise)")
  }

  /// A server may announce any length; what is longer is no wish for room.
  private static let diskMax: Int64 = 1 << 50
}

extension Int64 {
  /// So many bytes, in the largest unit of which there is at least one. What is free is rounded down, and what is
  /// needed up: the two must not look as if one had room in the other.
  fileprivate func inWords(_ rule: FloatingPointRoundingRule) -> String {
    let units: [(name: String, size: Int64)] = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40)]
    let unit = units.last { self >= $0.size } ?? units[0]
    let tenths = (Double(self) / Double(unit.size) * 10).rounded(rule)
    let number = tenths.truncatingRemainder(dividingBy: 10) == 0 ? (tenths / 10).fixed(0) : (tenths / 10).fixed(1)
    return "\(number) \(unit.name)"
  }
}
