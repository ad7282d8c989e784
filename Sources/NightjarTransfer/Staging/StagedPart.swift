import NIOCore
import NightjarModel

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The file that a transfer's bytes go to, and how much of it is written and synced.
///
/// Used on its attempt's event loop; only the values in ``Sync`` go to other threads. It takes in no byte for which
/// there is no room beyond the reserve (``FreeSpace``). There is no preallocation: on tmpfs fallocate(2) would touch
/// every page twice.
struct StagedPart: Sendable {
  let file: OpenFile
  let area: StagingArea
  /// Bytes handed to the kernel.
  private(set) var written: Int64
  /// Bytes that are safe.
  private(set) var synced: Int64
  /// Bytes that were safe when the file was opened.
  private var kept: Int64
  /// The version that the bytes are of, once it is known.
  var validator: Validator?
  /// The whole length, once it is known.
  var length: Int64?
  /// Where the bytes have come from, once they are of a known version.
  var provenance: Provenance?
  private var isNamed: Bool
  /// The room that it may take up.
  private let share: FreeSpace.Share
  private var gathered = ByteBuffer()
  /// Writes past the page cache; nil while bytes go through it.
  private var direct: DirectWriting?

  /// Small pieces, as HTTP/2 and TLS hand them out, are written together.
  private static let gatheredMax = 256 << 10

  /// Opens the file of a download where it can be resumed; otherwise a new one takes its place.
  ///
  /// The file must be at least as long as the resume point says, must not be noted as another version, and must have no
  /// other name; bytes beyond the point were never synced, and are cut off. Otherwise nothing is resumed: ``written``
  /// is 0.
  static func open(
    _ path: String, in area: StagingArea, resume: ResumePoint?
  ) throws(TransferFailure) -> StagedPart {
    if let resume, let part = try reopen(path, in: area, at: resume) { return part }
    let part = try replace(path, in: area)
    // Until the core knows that nothing was resumed, a crash would have the new bytes pass for those of the old point.
    if resume != nil { part.file.note(nil) }
    return part
  }

  /// Opens the file and cuts it off at the point; nil if it is not what the point says, if its version is unknown, or
  /// if it has another name.
  private static func reopen(
    _ path: String, in area: StagingArea, at point: ResumePoint
  ) throws(TransferFailure) -> StagedPart? {
    // If the file has come whole, its last byte is fetched again, so that there is an answer to report.
    let offset = min(point.offset, (point.length ?? .max) - 1)
    guard offset > 0, point.validator != nil, let file = try OpenFile.existing(path, failing: .cannotWrite) else {
      return nil
    }
    guard try !file.isShared(), try file.stamp().size >= point.offset, file.mayBe(point.validator) else { return nil }
    try file.truncate(to: point.offset)
    return StagedPart(file, area, offset: offset, point)
  }

  /// Puts a new file in the place of whatever stood there. Only the old file's name goes: an app that was told of it
  /// may have another name for it (a hard link), and be using it.
  private static func replace(_ path: String, in area: StagingArea) throws(TransferFailure) -> StagedPart {
    if let part = try create(path, in: area) { return part }
    guard unlink(path) == 0 || errno == ENOENT else { throw .ofErrno(errno, "cannot replace \(path)", .cannotWrite) }
    guard let part = try create(path, in: area) else {
      throw TransferFailure(.cannotWrite, "somebody else puts files at \(path)")
    }
    return part
  }

  /// A new file; nil if there is one already.
  static func create(_ path: String, in area: StagingArea) throws(TransferFailure) -> StagedPart? {
    let made = try area.blaming { () throws(TransferFailure) -> OpenFile? in
      try OpenFile.new(path, failing: .cannotWrite)
    }
    guard let file = made else { return nil }
    return StagedPart(file, area, offset: 0, nil)
  }

  private init(_ file: OpenFile, _ area: StagingArea, offset: Int64, _ resume: ResumePoint?) {
    (self.file, self.area, written, synced, kept) = (file, area, offset, offset, resume?.offset ?? 0)
    (validator, length, isNamed) = (resume?.validator, resume?.length, resume != nil)
    provenance = resume?.provenance
    share = area.space.share(of: file.path, from: offset)
  }

  /// Voids the note before the bytes go, so that no crash leaves another version's bytes under the old note.
  static func empty(_ file: OpenFile) throws(TransferFailure) {
    file.note(nil)
    try file.truncate(to: 0)
  }

  /// The point to go on from; nil at the beginning or where nothing names the version.
  var resumePoint: ResumePoint? { written > 0 && validator != nil ? point(at: written, of: validator) : nil }

  /// What to go on with at an offset.
  func point(at offset: Int64, of validator: Validator?) -> ResumePoint {
    var point = ResumePoint(offset: offset, validator: validator, length: length)
    if validator != nil { point.provenance = provenance }
    return point
  }

  /// Bytes that the next attempt can go on with: all of a complete file, though its last byte is fetched again.
  var usable: Int64 { validator == nil ? 0 : max(synced, kept) }

  /// Bytes of the file so far, written or about to be.
  var count: Int64 { written + Int64(gathered.readableBytes) + waiting }

  /// Bytes that wait to be written past the page cache, those that are being written included.
  var waiting: Int64 { direct?.count ?? 0 }

  /// Whether bytes are being written past the page cache.
  var isWriting: Bool { direct?.isUnderWay ?? false }

  /// Whether bytes go past the page cache.
  var isDirect: Bool { direct != nil }

  /// Bytes that a power cut would take.
  var unsynced: Int64 { count - synced }

  /// Has all further bytes written past the page cache by ``nextBatch()``, if that is possible.
  mutating func goDirect(pieceSize: Int, _ places: DirectPlaces) {
    guard direct == nil, gathered.readableBytes == 0, let file = DirectFile(file), let place = places.take() else {
      return
    }
    direct = DirectWriting(file, place, pieceSize: pieceSize)
  }

  /// Reserves room for the whole file, where its length is known, and for the held bytes. `diskFull` if there is not
  /// enough.
  func reserve() throws(TransferFailure) {
    if let length { try share.reserve(upTo: length) }
    try share.admit(upTo: count)
  }

  /// Takes bytes in; `diskFull` if there is no room for them. A large piece is written at once from its own memory,
  /// small ones together by ``flush()``. Bytes that come while the file is being emptied are held, since that makes
  /// room for them.
  mutating func append(_ bytes: ByteBuffer, isHeld: Bool) throws(TransferFailure) {
    if !isHeld { try share.admit(upTo: count + Int64(bytes.readableBytes)) }
    guard direct == nil else {
      let offset = count
      try direct?.append(bytes, at: offset)
      return
    }
    let isLarge = bytes.readableBytes >= Self.gatheredMax
    if isLarge, !isHeld, gathered.readableBytes == 0 { return try write(bytes) }
    gathered.writeImmutableBuffer(bytes)
    if !isHeld, gathered.readableBytes >= Self.gatheredMax { try flush() }
  }

  /// Writes all waiting bytes through the page cache. Does nothing while a batch is being written past it: its bytes
  /// come first.
  mutating func flush() throws(TransferFailure) {
    guard !isWriting else { return }
    for piece in direct?.drain() ?? [] { try write(piece) }
    guard gathered.readableBytes > 0 else { return }
    try write(gathered)
    gathered.clear()
  }

  /// The next batch to write past the page cache, on a file thread; nil if there is none.
  mutating func nextBatch() -> DirectWriting.Batch? { direct?.nextBatch(at: written) }

  /// Notes that a batch is written.
  mutating func landed(_ batch: DirectWriting.Batch) {
    direct?.landed(batch)
    written += batch.count
    share.wrote(upTo: written)
  }

  /// Drops all waiting bytes, since a batch before them could not be written.
  mutating func forgetWaiting() { direct = nil }

  /// Forgets all bytes, and empties the file if that is possible. That takes no room.
  mutating func clear() {
    gathered.clear()
    try? file.truncate(to: 0)
    restart(nil, length: nil)
  }

  private mutating func write(_ bytes: ByteBuffer) throws(TransferFailure) {
    try file.write(bytes, at: written)
    written += Int64(bytes.readableBytes)
    share.wrote(upTo: written)
  }

  /// Begins again from the first byte, after the file has been emptied.
  mutating func restart(_ validator: Validator?, length: Int64?, from provenance: Provenance? = nil) {
    (written, synced, kept, isNamed, direct) = (0, 0, 0, false, nil)
    (self.validator, self.length, self.provenance) = (validator, length, provenance)
    share.restart()
  }

  /// Remembers what a sync has made safe.
  mutating func learn(_ sync: Sync) {
    (synced, isNamed) = (sync.offset, true)
    share.synced(upTo: synced)
  }

  /// What another thread needs to make safe what is written now.
  var sync: Sync {
    Sync(
      file: file, area: area, offset: written, unsynced: written - synced, validator: validator, isNamed: isNamed)
  }

  /// One sync of the data, up to an offset.
  struct Sync: Sendable {
    let file: OpenFile
    let area: StagingArea
    let offset: Int64
    /// How much of that is not safe yet.
    let unsynced: Int64
    let validator: Validator?
    let isNamed: Bool

    /// Makes the bytes safe, and before the first checkpoint also the file's name and the note of its version.
    func run() throws(TransferFailure) {
      if !isNamed { file.note(validator) }
      try file.syncData()
      if !isNamed { try area.sync() }
    }

    /// Makes the whole file safe; its name is safe once its folder has been synced, too.
    func seal() throws(TransferFailure) -> StagedFile {
      try file.sync()
      return StagedFile(path: file.path, stamp: try file.stamp())
    }
  }
}
