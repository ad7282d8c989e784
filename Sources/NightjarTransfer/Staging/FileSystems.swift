import Dispatch
import NIOCore
import NightjarModel
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Where files are touched whose paths a client has named.
///
/// A call on a file may never return: the server of a network file system is gone, a disk was pulled out. What lies on the
/// mount of the daemon's own home is touched on the file threads that all transfers share. Every other mount has lanes of its
/// own, so that one that does not answer holds up only those who use it. Which mount a path leads to is found without
/// touching that mount. A lane has one thread, which is there while there is something to do.
///
/// Where the kernel lists no mounts (no /proc) everything is taken to lie on one other mount.
public final class FileSystems: Sendable {
  /// What is done on a mount. A copy may take as long as it is long, and a look is not to wait for it.
  public enum Work: Hashable, Sendable { case looking, copying }

  /// Does one thing after the other, on a thread that nobody else waits for.
  public struct Lane: Sendable {
    fileprivate let queue: DispatchQueue
    fileprivate let underWay: DispatchGroup

    /// Returns at once.
    public func submit(_ work: @escaping @Sendable () -> Void) { queue.async(group: underWay, execute: work) }
  }

  private struct Key: Hashable {
    var mount: Int
    var work: Work
  }

  private struct State {
    var table = MountTable("")
    /// The mount of the home; nil where it is not known.
    var own: Int?
    var lanes: [Key: DispatchQueue] = [:]

    /// Beyond the bound mounts share a lane.
    mutating func queue(_ key: Key) -> DispatchQueue {
      if let known = lanes[key] { return known }
      let key = lanes.count < FileSystems.lanesMax ? key : Key(mount: -1, work: key.work)
      let queue = lanes[key] ?? DispatchQueue(label: "nightjar.files.\(key.mount)")
      lanes[key] = queue
      return queue
    }
  }

  private static let lanesMax = 64

  private let home: String
  private let list: OpenFile?
  private let underWay = DispatchGroup()
  private let state = Mutex(State())

  /// - Parameters:
  ///   - home: A folder of the daemon's own.
  ///   - list: Where the kernel lists the mounts.
  init(home: String, list: String) {
    let resolved = realpath(home, nil)
    self.home = resolved.map { String(cString: $0) } ?? home
    free(resolved)
    self.list = try? OpenFile(list, O_RDONLY, failing: .cannotReadSource)
    state.withLock { read(into: &$0) }
  }

  /// The lane for some work at a path; nil where it may be done like what is done in the daemon's own home.
  public func lane(for path: String, _ work: Work) -> Lane? {
    let (table, own) = state.withLock { state in
      if hasChanged { read(into: &state) }
      return (state.table, state.own)
    }
    let mount = own.map { table.mount(of: path, following: $0, link: Self.link) } ?? 0
    guard mount != own else { return nil }
    let queue = state.withLock { $0.queue(Key(mount: mount, work: work)) }
    return Lane(queue: queue, underWay: underWay)
  }

  /// Waits for what is under way, but not for ever: a file system that does not answer may never do so.
  func close() async {
    await withCheckedContinuation { done in
      DispatchQueue(label: "nightjar.lanes.end").async { [underWay] in
        _ = underWay.wait(timeout: .now() + .seconds(Self.patienceSeconds))
        done.resume()
      }
    }
  }

  private static let patienceSeconds = 5

  /// Whether something was mounted or unmounted since the list was last asked; that costs one system call.
  private var hasChanged: Bool {
    guard let list else { return false }
    var watched = pollfd(fd: list.descriptor, events: Int16(POLLPRI), revents: 0)
    return poll(&watched, 1, 0) > 0 && watched.revents & Int16(POLLPRI) != 0
  }

  private func read(into state: inout State) {
    guard let text = try? list?.read(Self.listMax, at: 0) else { return }
    state.table = MountTable(String(buffer: text))
    state.own = state.table.isEmpty ? nil : state.table.mount(at: home)
    let numbers = state.table.numbers
    state.lanes = state.lanes.filter { numbers.contains($0.key.mount) }
  }

  private static let listMax = 4 << 20

  private static func link(_ path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { room in
      let count = readlink(path, room.baseAddress!, room.count)
      return count > 0 ? String(decoding: room[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
  }
}
