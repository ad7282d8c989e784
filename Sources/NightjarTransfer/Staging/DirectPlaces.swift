import Synchronization

/// Bounds how many downloads go past the page cache at a time. Each takes some MiB of memory, and a file thread while
/// it writes, and one or two of them keep a disk busy.
final class DirectPlaces: Sendable {
  private let free: Mutex<Int>

  init(_ count: Int) { free = Mutex(count) }

  /// A place; nil if all are taken.
  func take() -> Place? {
    let isTaken = free.withLock { free in
      guard free > 0 else { return false }
      free -= 1
      return true
    }
    return isTaken ? Place(self) : nil
  }

  /// One of the places, given back with its last owner.
  final class Place: Sendable {
    private let places: DirectPlaces

    fileprivate init(_ places: DirectPlaces) { self.places = places }

    deinit { places.free.withLock { $0 += 1 } }
  }
}
