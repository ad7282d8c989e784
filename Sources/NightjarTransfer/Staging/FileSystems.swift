import Dispatch
import NIOCore
import NightjarModel
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Where the engine touches files whose paths clients have named.
///
/// A call on a file may never return: the server of a network file system is gone, a disk was pulled out. Files on the
/// mount of the daemon's own home are touched on the file threads that all transfers share. Every other mount has lanes
/// of its own, so that one that does not answer holds up only those who use it. Which mount a path leads to is found
/// without touching that mount.
///
/// Where the kernel lists no mounts (no /proc) everything is taken to lie on one other mount.
public final class FileSystems: Sendable {
  /// Kinds of work on a mount. Each has its own lane, so that none waits for a kind that takes longer by its nature.
  public enum Work: Hashable, Sendable { case looking, reading, copying }

  /// A mount whose files are touched on lanes.
  public struct Mount: Sendable {
    fileprivate let number: Int
    fileprivate let fileSystems: FileSystems

    /// The lane for one kind of work.
    public func lane(_ work: Work) -> FileLane { fileSystems.lane(Key(mount: number, work: work)) }
  }

  private struct Key: Hashable {
    var mount: Int
    var work: Work
  }

  private struct State {
    var table = MountTable("")
    /// The mount of the home; nil where it is not known.
    var own: Int?
    var lanes: [Key: FileLane] = [:]
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

  /// The mount that a path leads to; nil for the mount of the daemon's own home, which needs no lanes.
  public func mount(of path: String) -> Mount? {
    let (table, own) = state.withLock { state in
      if hasChanged { read(into: &state) }
      return (state.table, state.own)
    }
    let number = own.map { table.mount(of: path, following: $0, link: Self.link) } ?? Self.unknown
    return number == own ? nil : Mount(number: number, fileSystems: self)
  }

  /// The mount of the daemon's own home, for work that takes too long for the shared threads.
  var own: Mount { Mount(number: state.withLock { $0.own } ?? Self.unknown, fileSystems: self) }

  /// Stands for a mount that is not listed.
  private static let unknown = 0
  /// Stands for all mounts beyond the bound, which share lanes.
  private static let others = -1

  private func lane(_ key: Key) -> FileLane {
    state.withLock { state in
      if let known = state.lanes[key] { return known }
      let key = state.lanes.count < Self.lanesMax ? key : Key(mount: Self.others, work: key.work)
      let lane = state.lanes[key] ?? FileLane("nightjar.files.\(key.mount).\(key.work)", in: underWay)
      state.lanes[key] = lane
      return lane
    }
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
    let numbers = state.table.numbers.union([Self.unknown, Self.others])
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
