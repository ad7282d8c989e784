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
  private var child: nightjar_child

  /// What is to be run, and with what.
  struct Order {
    var path: String
    var arguments: [String]
    var environment: [String: String]
    var folder: String
    var output: Descriptor
    var leaf: Leaf?
    var way: SpawnWay
  }

  /// Makes the process. If this one ends before ``proceed()``, so does that one.
  init(_ order: Order) throws(PlatformError) {
    var child = nightjar_child()
    let environment = order.environment.map { "\($0.key)=\($0.value)" }.sorted()
    let result = Self.withStrings(order.arguments) { arguments in
      Self.withStrings(environment) { environment in
        order.path.withCString { path in
          order.folder.withCString { folder in
            var order = nightjar_order(
              path: path, arguments: arguments, environment: environment, folder: folder, output: order.output.number,
              leaf: order.leaf?.folder.number ?? -1, way: order.way.rawValue)
            return nightjar_begin(&order, &child)
          }
        }
      }
    }
    guard result == 0 else { throw .system("cannot start a process", result) }
    // The shim closes its own copy when the program cannot be run.
    let copy = fcntl(child.pidfd, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else {
      let number = errno
      nightjar_abandon(&child)
      throw .system("cannot keep a pidfd", number)
    }
    (pid, isInLeaf, pidfd, self.child) = (child.pid, child.in_leaf, Descriptor(owning: copy), child)
  }

  /// Lets it run its program, and waits until it does.
  ///
  /// - Throws: `system` if it cannot be run; the process has ended then and is reaped.
  mutating func proceed() throws(PlatformError) {
    var step: Int32 = 0
    let result = nightjar_proceed(&child, &step)
    guard result == 0 else { throw .system(Self.deed(step), result) }
    close(child.pidfd)
  }

  /// Ends it before it has run anything.
  mutating func abandon() { nightjar_abandon(&child) }

  private static func deed(_ step: Int32) -> String {
    switch UInt32(step) {
    case nightjar_step_folder.rawValue: "cannot go to its working folder"
    case nightjar_step_execute.rawValue: "cannot run it"
    default: "cannot set it up"
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
