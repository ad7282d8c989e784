import Configuration
import NightjarCore
import NightjarDaemon
import NightjarModel
import NightjarPlatform
import SystemPackage

/// Reads the daemon's settings: variables first, then the file, then the defaults.
enum Settings {
  static func read(home folder: String?) async throws -> DaemonSettings {
    var environment = Environment.current
    if let folder { environment["NIGHTJAR_HOME"] = folder }
    let home = try Home(environment: environment)
    var settings = DaemonSettings(home: home, environment: environment)
    let file = FilePath(home.state).appending("nightjard.json")
    let reader = ConfigReader(providers: [
      EnvironmentVariablesProvider(environmentVariables: environment),
      try await FileProvider<JSONSnapshot>(filePath: file, allowMissing: true),
    ]).scoped(to: "nightjar")
    settings.apply(reader)
    return settings
  }

  /// Every setting, its default and the variable that sets it, one a line.
  static var table: [String] {
    let limits = Limits()
    let launcher = LauncherSettings(environment: [:])
    let counts = Limits.counts.map { ($0.key, "\(limits[keyPath: $0.path])") }
    let times = Limits.durations.map { ($0.key, "\(limits[keyPath: $0.path].components.seconds) s") }
    let others = [
      ("checkpoint.bytes", "67108864"), ("checkpoint.interval", "5 s"),
      ("transfer.threads", "2"), ("log.bytes.max", "\(launcher.logBytesMax)"),
      ("proxy.http", "http_proxy, or all_proxy"), ("proxy.https", "https_proxy, or all_proxy"),
      ("proxy.exceptions", "no_proxy"), ("transfer.bytes.per.second.max", "none"), ("trusted.certificates", "none"),
      ("memory.warning.stall", "0.15 s"), ("memory.urgent.stall", "0.1 s"), ("memory.window", "2 s"),
      ("memory.warning.percent", "10"), ("memory.urgent.percent", "5"), ("memory.stall.percent", "50"),
      ("memory.polled", "no"), ("background.refresh.restricted", "no (or yes: no app is refreshed)"),
      ("cgroups", "automatic (or never, or a folder)"),
      ("sensors.bus", "DBUS_SYSTEM_BUS_ADDRESS, or the system's (or never)"),
      ("sensors.sysfs", "/sys"), ("sensors.uevents", "automatic (or never)"), ("sensors.poll.interval", "60 s"),
      ("desktop.bus", "DBUS_SESSION_BUS_ADDRESS, or the session's (or never)"),
      ("identity", "the best there is (or \(IdentityMeans.allCases.map { "\($0)" }.joined(separator: ", ")))"),
    ]
    return (counts + times + others).sorted { $0.0 < $1.0 }.map { key, value in
      let variable = "NIGHTJAR_" + key.uppercased().split(separator: ".").joined(separator: "_")
      return "\(padded(key, 30))\(padded(variable, 40))\(value)"
    }
  }

  private static func padded(_ text: String, _ columns: Int) -> String {
    text + String(repeating: " ", count: max(1, columns - text.count))
  }
}

extension DaemonSettings {
  fileprivate mutating func apply(_ reader: ConfigReader) {
    limits.apply(reader)
    transferThreads = reader.int(forKey: "transfer.threads", default: transferThreads)
    bytesPerSecondMax = reader.int(forKey: "transfer.bytes.per.second.max").map { Int64(max($0, 1)) }
    applyProxies(reader)
    memory.apply(reader)
    launcher.logBytesMax = Int64(reader.int(forKey: "log.bytes.max", default: Int(launcher.logBytesMax)))
    checkpointBytes = reader.int(forKey: "checkpoint.bytes", default: checkpointBytes)
    checkpointInterval = reader.double(forKey: "checkpoint.interval").map { .seconds($0) } ?? checkpointInterval
    trustedCertificates = reader.string(forKey: "trusted.certificates")
    switch reader.string(forKey: "cgroups") {
    case "never": launcher.cgroups = .never
    case .some(let path) where path.hasPrefix("/"): launcher.cgroups = .under(path)
    default: break
    }
    applySensors(reader)
    if let bus = reader.string(forKey: "desktop.bus") {
      (desktop.isUsed, desktop.busAddress) = (bus != "never", bus)
    }
    identity = reader.string(forKey: "identity").flatMap { name in
      IdentityMeans.allCases.first { "\($0)" == name }
    }
  }
}

extension DaemonSettings {
  fileprivate mutating func applySensors(_ reader: ConfigReader) {
    if let bus = reader.string(forKey: "sensors.bus") { sensors.busAddress = bus == "never" ? nil : bus }
    sensors.sysfs = reader.string(forKey: "sensors.sysfs") ?? sensors.sysfs
    if reader.string(forKey: "sensors.uevents") == "never" { sensors.hearsUevents = false }
    if let seconds = reader.double(forKey: "sensors.poll.interval") { sensors.pollInterval = .seconds(max(seconds, 1)) }
  }

  /// What is configured replaces what the environment says, each by itself; an empty text means no proxy.
  fileprivate mutating func applyProxies(_ reader: ConfigReader) {
    var chosen = proxies ?? Proxies()
    if let url = reader.string(forKey: "proxy.http") { chosen.http = url.isEmpty ? nil : url }
    if let url = reader.string(forKey: "proxy.https") { chosen.https = url.isEmpty ? nil : url }
    if let names = reader.string(forKey: "proxy.exceptions") {
      chosen.exceptions = names.split { $0 == "," || $0 == " " }.map(String.init)
    }
    proxies = chosen.http == nil && chosen.https == nil ? nil : chosen
  }
}

extension MemorySettings {
  fileprivate mutating func apply(_ reader: ConfigReader) {
    warningStall = reader.double(forKey: "memory.warning.stall").map { .seconds($0) } ?? warningStall
    urgentStall = reader.double(forKey: "memory.urgent.stall").map { .seconds($0) } ?? urgentStall
    window = reader.double(forKey: "memory.window").map { .seconds(max($0, 0.5)) } ?? window
    warningPercent = reader.int(forKey: "memory.warning.percent", default: warningPercent)
    urgentPercent = reader.int(forKey: "memory.urgent.percent", default: urgentPercent)
    stallPercent = reader.int(forKey: "memory.stall.percent", default: stallPercent)
    usesStalls = reader.string(forKey: "memory.polled") != "yes"
  }
}

extension Limits {
  fileprivate mutating func apply(_ reader: ConfigReader) {
    isRefreshRestricted = reader.string(forKey: "background.refresh.restricted") == "yes"
    for bound in Self.counts {
      self[keyPath: bound.path] = reader.int(forKey: ConfigKey(bound.key), default: self[keyPath: bound.path])
    }
    for bound in Self.durations {
      guard let seconds = reader.double(forKey: ConfigKey(bound.key)) else { continue }
      self[keyPath: bound.path] = .seconds(seconds)
    }
  }
}
