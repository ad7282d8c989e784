import Foundation

/// The folder in the app's container with calls about notifications that the daemon has not accepted.
///
/// One process at a time has it, by a lock that is released with the process. Used under the link's lock only.
// Unchecked: the link's lock guards the variable.
final class NoticeFolder: @unchecked Sendable {
  /// The calls that the daemon has not accepted.
  var outbox: Outbox
  private let lock: OwnedDescriptor

  /// Opens the folder, and creates it if necessary; nil while another process has it.
  init?(in place: Place) throws(FileTrouble) {
    let folder = place.sessions + "/notifications"
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    lock = try OwnedDescriptor(opening: folder + "/lock", O_RDWR | O_CREAT)
    guard lock.lock() else { return nil }
    outbox = try Outbox(at: folder + "/outbox")
  }
}
