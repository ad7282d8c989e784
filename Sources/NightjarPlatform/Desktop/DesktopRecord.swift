import Glibc
import NightjarModel

/// What the next daemon has to know of a notification that the desktop was given.
///
/// It means nothing after a reboot, so it is not synced to the disk.
struct DesktopRecord: Hashable, Sendable {
  /// A service, and its number for a notification.
  struct Place: Hashable, Sendable {
    var server: DesktopServer
    var number: UInt32
  }

  var id: NoticeID
  /// Nil if the desktop has closed it.
  var open: Place?

  /// The records in a file, as far as they can be read.
  static func all(in path: String) -> [DesktopRecord] {
    guard let bytes = Disk.bytes(of: path, max: bytesMax) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { DesktopRecord($0) }
  }

  /// Puts records into a file, in the place of what stands there.
  static func write(_ records: [DesktopRecord], to path: String) throws(PlatformError) {
    try Disk.replace(path, with: records.map { $0.line + "\n" }.joined(), synced: false)
  }

  private static let bytesMax = 16 << 20

  private var line: String {
    guard let open else { return "\(id) closed" }
    return "\(id) open \(open.number) \(open.server.name) \(open.server.bus)"
  }

  private init?(_ line: Substring) {
    let words = line.split(separator: " ")
    guard words.count >= 2, let id = Int64(words[0]), id > 0 else { return nil }
    switch (words[1], words.count) {
    case ("closed", 2): self.init(id: NoticeID(id), open: nil)
    case ("open", 5):
      guard let number = UInt32(words[2]), number > 0 else { return nil }
      let server = DesktopServer(bus: String(words[4]), name: String(words[3]))
      self.init(id: NoticeID(id), open: Place(server: server, number: number))
    default: return nil
    }
  }

  init(id: NoticeID, open: Place?) { (self.id, self.open) = (id, open) }
}
