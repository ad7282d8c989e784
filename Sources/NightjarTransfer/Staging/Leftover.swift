import NightjarModel

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A copy under a hidden name in a destination's folder, and the note of it in the staging area: `<id>.copy`, a
/// symbolic link that leads to the copy.
///
/// The note is there before the copy and goes after it, so a crash leaves both. A repeated delivery removes the copy;
/// so does, by the note, the removal of the transfer. The note is not synced: after a power cut it may be missing.
struct Leftover: Sendable {
  private let note: String
  let copy: String

  /// The copy that a delivery makes.
  init(of id: TransferID, at copy: String, notedIn staging: String) {
    (note, self.copy) = (Self.note(of: id, in: staging), copy)
  }

  /// The copy that is noted; nil if none is.
  init?(of id: TransferID, notedIn staging: String) {
    let note = Self.note(of: id, in: staging)
    let copy = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { room -> String? in
      let count = readlink(note, room.baseAddress!, room.count)
      return count > 0 ? String(decoding: room[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
    guard let copy, copy.split(ascii: "/").last?.hasPrefix(".nightjar-") == true else { return nil }
    (self.note, self.copy) = (note, copy)
  }

  private static func note(of id: TransferID, in staging: String) -> String { "\(staging)/\(id).copy" }

  /// Writes the note, replacing an earlier one. If that fails, the copy is made all the same.
  func write() {
    strike()
    symlink(copy, note)
  }

  /// Removes the copy, and then the note. Touches the destination's file system.
  func remove() {
    guard unlink(copy) == 0 || [ENOENT, ENOTDIR].contains(errno) else { return }
    strike()
  }

  /// Removes the note: there is no such copy any more.
  func strike() { unlink(note) }
}
