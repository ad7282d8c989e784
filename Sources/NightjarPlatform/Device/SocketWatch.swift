import CNightjarSpawn
import Glibc

/// Tells when a socket appears at a bus's address (inotify(7)), so that a bus need not be dialled again and again.
final class SocketWatch: Sendable {
  private let lookout: Lookout
  private let watch: Lookout.Watch

  /// Nil for an address that is no path, or in a folder that is not there.
  init?(address: String, lookout: Lookout, appeared: @escaping @Sendable () -> Void) {
    let prefix = "unix:path="
    guard let first = address.split(separator: ";").first, first.hasPrefix(prefix),
      let path = first.dropFirst(prefix.count).split(separator: ",").first.map(String.init),
      let folder = Disk.parent(of: path),
      let notice = try? Lookout.descriptor(nightjar_folder_watch(folder), "inotify")
    else { return nil }
    let name = Disk.name(of: path)
    let watch = try? lookout.watch(notice, for: .readable) {
      if nightjar_folder_gained(notice.number, name) { appeared() }
    }
    guard let watch else { return nil }
    (self.lookout, self.watch) = (lookout, watch)
  }

  deinit { lookout.cancel(watch) }
}
