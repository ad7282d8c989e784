import CNightjarSpawn
import Glibc

/// The ways to make a process, best first.
public enum SpawnWay: Int32, CaseIterable, Hashable, Sendable {
  /// clone3(2) straight into the cgroup, and the others where that fails.
  case best = 0
  /// clone3(2), then a write to `cgroup.procs`: where the kernel will not do both at once.
  case cloneThenMove = 1
  /// clone(2): where clone3 is missing, or a container's filter forbids it.
  case fork = 2
}

/// A process that waits at its gate: it exists, is in its cgroup, and has run nothing.
struct Spawn {
  let pid: Int32
  let pidfd: Descriptor
  let isInLeaf: Bool
  /// Its answer once it was let go.
  let answer: Answer
  private let gate: Int32

  /// What is to be run, and with what.
  struct Order {
    /// Where the program may lie: absolute paths, which the process tries one after the other.
    var paths: [String]
    var arguments: [String]
    var environment: [String: String]
    var folder: String
    var output: Descriptor
    var leaf: Leaf?
    var way: SpawnWay
    /// How many descriptors it may have, unless it asks for more; nil for as many as we may.
    var filesMax: UInt64?
    /// Whether it is scheduled as processes usually are, however we are.
    var isOrdinary = false
  }

  /// Whether a process that was let go runs its program.
  struct Answer: Sendable {
    /// Readable once there is an answer. There may never be one: the program may lie where nothing answers.
    let pipe: Descriptor
    fileprivate let pidfd: Descriptor

    /// Whether it runs its program, or was killed before it could, as its pidfd tells; false while that is not known.
    ///
    /// - Throws: `notInstalled` if there is no such program, else `system`; the process has ended then and is reaped.
    func hasCome() throws(PlatformError) -> Bool {
      var step: Int32 = 0
      let result = nightjar_answer(pipe.number, pidfd.number, &step)
      guard result < 0 else { return result > 0 }
      throw Spawn.failure(-result, at: step)
    }
  }

  /// Makes the process. If the calling process ends before ``open()``, the new one ends, too.
  init(_ order: Order) throws(PlatformError) {
    var child = nightjar_child()
    let environment = order.environment.map { "\($0.key)=\($0.value)" }.sorted()
    let result = Self.withStrings(order.paths) { paths in
      Self.withStrings(order.arguments) { arguments in
        Self.withStrings(environment) { environment in
          order.folder.withCString { folder in
            var order = nightjar_order(
              paths: paths, arguments: arguments, environment: environment, folder: folder,
              output: order.output.number, leaf: order.leaf?.folder.number ?? -1, way: order.way.rawValue,
              files_max: order.filesMax ?? 0,
              is_ordinary: order.isOrdinary ? 1 : 0)
            return nightjar_begin(&order, &child)
          }
        }
      }
    }
    guard result == 0 else { throw .system("cannot start a process", result) }
    let pidfd = Descriptor(owning: child.pidfd)
    (pid, self.pidfd, isInLeaf, gate) = (child.pid, pidfd, child.in_leaf, child.gate)
    answer = Answer(pipe: Descriptor(owning: child.answer), pidfd: pidfd)
  }

  /// Lets it run its program. Call either this or ``abandon()``, once.
  func open() { nightjar_open_gate(gate) }

  /// Ends it before it has run anything.
  func abandon() { withExtendedLifetime(pidfd) { nightjar_abandon(gate, pidfd.number) } }

  private static func failure(_ number: Int32, at step: Int32) -> PlatformError {
    switch UInt32(step) {
    case nightjar_step_folder.rawValue: .system("cannot go to its working folder", number)
    case nightjar_step_execute.rawValue where number == ENOENT: PlatformError(.notInstalled, "there is no such program")
    case nightjar_step_execute.rawValue: .system("cannot run it", number)
    default: .system("cannot set it up", number)
    }
  }

  private static func withStrings<R>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
  ) -> R {
    let copies = strings.map { strdup($0) } + [nil]
    defer { copies.forEach { free($0) } }
    return copies.withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}
