/// An app as it is installed.
public struct InstalledApp: Hashable, Sendable {
  /// What is run when the app is launched.
  public enum Kind: Hashable, Sendable {
    /// A bundle: launched, ended and told by the daemon. `executable` is absolute.
    case bundle(path: String, executable: String)
    /// A program that registered itself. It is never ended by the daemon; `relaunch` is the command that starts it
    /// again, empty if it named none.
    case program(relaunch: [String])
  }

  /// Its name.
  public var id: AppID
  /// The name that people see.
  public var displayName: String
  /// What is run.
  public var kind: Kind
  /// Whether it is ended where others are suspended (`UIApplicationExitsOnSuspend`).
  public var exitsOnSuspend: Bool
  /// Whether what it shows is hidden while the device is locked (`com.apple.developer.default-data-protection`).
  public var isProtected: Bool
  /// What it declares to do in the background (`UIBackgroundModes`).
  public var modes: [String]

  /// An app of one kind or the other.
  public init(
    id: AppID, displayName: String, kind: Kind, exitsOnSuspend: Bool = false, isProtected: Bool = false,
    modes: [String] = []
  ) {
    (self.id, self.displayName, self.kind) = (id, displayName, kind)
    (self.exitsOnSuspend, self.isProtected, self.modes) = (exitsOnSuspend, isProtected, modes)
  }
}

/// What the launcher is asked to do.
public struct LaunchOrder: Hashable, Sendable {
  /// The app to bring up.
  public var app: InstalledApp
  /// Which life of the app this is; every fact about it carries the number back.
  public var life: Int
  /// Whether it is launched for its background work rather than by a person.
  public var isBackground: Bool
  /// Arguments that a person gave; none in the background.
  public var arguments: [String]

  /// An order to launch an app.
  public init(app: InstalledApp, life: Int, isBackground: Bool, arguments: [String] = []) {
    (self.app, self.life, self.isBackground, self.arguments) = (app, life, isBackground, arguments)
  }
}

/// What Linux reports about an app's life.
public enum AppFact: Hashable, Sendable {
  /// It runs; the leader's process id.
  case launched(pid: Int32)
  /// It could not be started.
  case launchFailed(LaunchFailure)
  /// Whether all its processes stand still, as the order of this number wanted it.
  case suspended(stint: Int, Bool)
  /// It stands still as the order of this number wanted, but holds a lock on this file, which it shares with others.
  case locked(stint: Int, path: String)
  /// Which process traces its leader, as debuggers do; nil if none does.
  case inspected(tracer: Int32?)
  /// The CPU time that its processes have used so far (nil where it cannot be measured), and the bytes that they have
  /// moved over the connections that they have open. Measured for this errand.
  case metered(errand: Int64, cpu: Duration?, received: Int64 = 0, sent: Int64 = 0)
  /// The process that was launched is gone, and others of the app live on.
  case orphaned(leader: Int32)
  /// All its processes are gone. `status` is for people: `exited 0`, `was killed by signal 9`.
  case exited(status: String, isCrash: Bool)
}

/// Why an app could not be brought up.
public struct LaunchFailure: Error, Hashable, Sendable {
  /// What a program can act on.
  public enum Code: String, Hashable, Sendable {
    /// Its bundle or executable is gone from this machine.
    case notInstalled
    /// The machine would not start it; perhaps later.
    case refused
    /// It started and never attached.
    case timedOut
  }

  /// What a program can act on.
  public var code: Code
  /// What a person can read.
  public var detail: String

  /// A failure in both forms.
  public init(_ code: Code, _ detail: String) { (self.code, self.detail) = (code, detail) }
}
