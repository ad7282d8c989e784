import Glibc
public import Logging
import NIOPosix
public import NightjarCore
public import NightjarModel
public import NightjarPlatform
import NightjarStore
import NightjarTransfer
public import ServiceLifecycle
import Varlink

/// How a daemon is set up; every value has its ordinary default.
public struct DaemonSettings: Sendable {
  /// The folders and files of this daemon.
  public var home: Home
  /// The bounds of everything.
  public var limits = Limits()
  /// How apps are started, and with which part of the daemon's environment.
  public var launcher: LauncherSettings
  /// How the device is sensed.
  public var sensors: SensorSettings
  /// Where notifications are shown.
  public var desktop: DesktopSettings
  /// How peers are identified; nil for the best way that this kernel offers.
  public var identity: IdentityMeans?
  /// When memory counts as short.
  public var memory = MemorySettings()
  /// The number of threads that move bytes.
  public var transferThreads = 2
  /// Bytes that all transfers together may move in a second; nil for no limit.
  public var bytesPerSecondMax: Int64?
  /// The proxies of transfers that name none of their own; unless set, those of the environment.
  public var proxies: Proxies?
  /// A download is synced, and its offset recorded, at least this often while bytes flow.
  public var checkpointInterval = Duration.seconds(5)
  /// A download is synced, and its offset recorded, when this many bytes came since the last time.
  public var checkpointBytes = 64 << 20
  /// A PEM file of roots that are trusted beside the system's.
  public var trustedCertificates: String?

  /// The permissions that a delivered file does not get (umask(2)). A process cannot ask for its own without changing
  /// it for a moment, so whoever starts the daemon says it.
  public var umask: UInt32 = 0o022

  /// The ordinary settings for a home.
  public init(home: Home, environment: [String: String]) {
    self.home = home
    launcher = LauncherSettings(environment: environment)
    sensors = SensorSettings(environment: environment)
    desktop = DesktopSettings(environment: environment)
    proxies = Proxies(environment: environment)
  }
}

/// Why the daemon cannot run; the detail says what to do.
public struct DaemonError: Error, Sendable, CustomStringConvertible {
  /// What a person can read.
  public let detail: String

  public var description: String { detail }
}

/// The daemon: the rooms, wired to the supervisor.
///
/// It may be killed at any moment. What was accepted is committed, apps live on, and the next daemon in the same home
/// goes on from there.
public struct Daemon: Service, CustomStringConvertible {
  /// The version, as `nightjar status` and `GetInfo` show it.
  public static let version = "0.1.0"

  private let settings: DaemonSettings
  private let logger: Logger

  /// The name alone: the service group logs this value, and the settings hold the environment and passwords.
  public var description: String { "nightjard" }

  /// Creates a daemon; nothing is opened or changed before ``run()``.
  public init(_ settings: DaemonSettings, logger: Logger) { (self.settings, self.logger) = (settings, logger) }

  /// Runs until graceful shutdown is asked for.
  ///
  /// - Throws: ``DaemonError``, before anything was accepted or when the database is unusable.
  public func run() async throws {
    let house = try House(settings, logger: logger)
    try house.open()
    let failure = await withTaskCancellationOrGracefulShutdownHandler {
      await house.live()
    } onCancelOrGracefulShutdown: {
      house.stop()
    }
    await house.close()
    if let failure { throw failure }
  }
}
