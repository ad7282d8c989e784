import CNightjarSpawn
import Glibc
import NightjarModel

/// Tells when a socket may have appeared at a bus's address (inotify(7)), so that a bus need not be dialled again and
/// again.
///
/// Every folder on the way to it is watched that is there: at a logout the one with the session's bus is unmounted, and
/// the next login makes it anew. A folder that comes, or that is mounted over another, is not watched; so a watch that
/// has told is to be replaced, and once more whenever the bus was dialled in vain.
final class SocketWatch: Sendable {
  private let lookout: Lookout
  private let watch: Lookout.Watch

  /// Nil for an address that is no path, or if the kernel grants no watch.
  init?(address: String, lookout: Lookout, appeared: @escaping @Sendable () -> Void) {
    guard let path = Self.path(in: address),
      let notice = try? Lookout.descriptor(nightjar_way_watch(path), "inotify")
    else { return nil }
    let watch = try? lookout.watch(notice, for: .readable) {
      if nightjar_way_changed(notice.number, path) { appeared() }
    }
    guard let watch else { return nil }
    (self.lookout, self.watch) = (lookout, watch)
  }

  deinit { lookout.cancel(watch) }

  /// The path of a bus's first address, in which some characters are escaped (`%20`); nil if it has none.
  static func path(in address: String) -> String? {
    let prefix = "unix:path="
    guard let first = address.split(separator: ";").first, first.hasPrefix(prefix),
      let escaped = first.dropFirst(prefix.count).split(separator: ",").first
    else { return nil }
    return String(decoding: String(escaped).percentDecoded, as: UTF8.self)
  }
}
