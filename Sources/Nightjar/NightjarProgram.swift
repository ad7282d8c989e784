import Foundation
import NightjarModel
import NightjarWire
import Synchronization

/// What a program that is no bundle tells the daemon about itself.
///
/// Such a program owns transfers under a name; the daemon never freezes or ends it. Call ``register(name:relaunch:)``
/// before the first session is created. A program that does not is known by the name of its executable, and is told of
/// its transfers when it runs next.
public enum NightjarProgram {
  /// Names the program, and says how to start it again.
  ///
  /// A process that Nightjar launched from a bundle becomes a program by this, too: use it in programs only.
  ///
  /// - Parameters:
  ///   - name: 1 to 128 letters, digits, dots, hyphens and underscores, beginning with a letter or digit. The program's
  ///     transfers belong to this name for as long as the daemon's database lives.
  ///   - relaunch: The command that starts the program when there is something to tell it and it is not attached:
  ///     an absolute path and arguments. Empty: it is told when it runs next.
  /// - Precondition: The name is valid, and no session has been created yet.
  public static func register(name: String, relaunch: [String] = []) {
    precondition(AppID.isValid(name), "\"\(name)\" is no name for a program: use letters, digits, '.', '-' and '_'")
    registration.withLock { state in
      precondition(!state.isUsed, "register the program before its first session is created")
      state.program = AppInterface.Program(name: name, relaunch: relaunch.isEmpty ? nil : relaunch)
    }
  }

  private struct Registration {
    var program: AppInterface.Program?
    var isUsed = false
  }

  private static let registration = Mutex(Registration())

  /// What was registered; nothing can be registered afterwards.
  static func settled() -> AppInterface.Program? {
    registration.withLock { state in
      state.isUsed = true
      return state.program
    }
  }
}

extension Link {
  /// The link of this process: that of its environment, unless another stands in.
  static var shared: Link { standIn.withLock { $0 } ?? own }

  private static let own: Link = {
    atexit { Link.own.depart() }
    let place = Place(
      environment: ProcessInfo.processInfo.environment, registered: NightjarProgram.settled(),
      executable: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "program")
    return Link(place: place, transport: VarlinkTransport(place: place))
  }()

  private static let standIn = Mutex<Link?>(nil)

  /// Has a link to a simulated daemon stand in for that of this process; nil ends it.
  package static func stand(in link: Link?) { standIn.withLock { $0 = link } }
}
