public import NightjarCore
public import NightjarModel
public import NightjarPlatform

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
