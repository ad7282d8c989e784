import Foundation
import NightjarModel
import NightjarWire
import Synchronization

/// Registers a program that is not a bundle with the daemon.
///
/// Such a program owns transfers under a name; the daemon never suspends or ends it. Call ``register(name:relaunch:)``
/// before anything else of Nightjar is used. A program that does not call it is known by the name of its executable,
/// and is told of its transfers when it runs next.
public enum NightjarProgram {
  /// Registers the program's name, and the command that starts it again.
  ///
  /// Do not call this in an app: a process that Nightjar launched from a bundle would become a program by it.
  ///
  /// - Parameters:
  ///   - name: 1 to 128 letters, digits, dots, hyphens and underscores, beginning with a letter or digit; the daemon
  ///     refuses digits alone, since a number names a transfer. The program's transfers belong to this name for as long
  ///     as the daemon's database lives.
  ///   - relaunch: The command that starts the program when it has events and does not run: an absolute path and
  ///     arguments. If empty, it receives its events when it runs next.
  /// - Precondition: The name is valid, and nothing else of Nightjar has been used yet: no background session, no
  ///   `UIApplication` and no `BGTaskScheduler`. Sessions in this process may have been used, with their resume data,
  ///   and `ProcessInfo.isLowPowerModeEnabled` may have been read.
  public static func register(name: String, relaunch: [String] = []) {
    precondition(AppID.isValid(name), "\"\(name)\" is no name for a program: use letters, digits, '.', '-' and '_'")
    registration.withLock { state in
      precondition(!state.isUsed, "register the program before anything else of Nightjar is used")
      state.program = AppInterface.Program(name: name, relaunch: relaunch.isEmpty ? nil : relaunch)
    }
  }

  private struct Registration {
    var program: AppInterface.Program?
    var isUsed = false
  }

  private static let registration = Mutex(Registration())

  /// Whether registration has ended.
  fileprivate static var isSettled: Bool { registration.withLock { $0.isUsed } }

  /// Returns what was registered, and ends registration.
  static func settled() -> AppInterface.Program? {
    registration.withLock { state in
      state.isUsed = true
      return state.program
    }
  }
}

extension Link {
  /// The link of this process, or the one that stands in for it in a simulation.
  static var shared: Link { standIn.withLock { $0 } ?? own }

  /// The same, if anything has needed it yet: to make it ends the registration of a program.
  static var made: Link? { standIn.withLock { $0 } ?? (NightjarProgram.isSettled ? own : nil) }

  private static let own: Link = {
    atexit { Link.own.depart() }
    let place = Place(
      environment: ProcessInfo.processInfo.environment, registered: NightjarProgram.settled(),
      executable: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "program")
    return Link(place: place, transport: VarlinkTransport(place: place))
  }()

  private static let standIn = Mutex<Link?>(nil)

  /// Replaces the link of this process by one to a simulated daemon; nil ends that.
  package static func stand(in link: Link?) { standIn.withLock { $0 = link } }
}
