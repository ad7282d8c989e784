import NightjarCore
import NightjarDaemon
import NightjarModel
import NightjarPlatform
import NightjarTransfer

/// Reads the daemon's settings: variables first, then the file, then the defaults.
enum Settings {
  /// The settings of a home, and a sentence about each unknown setting found.
  ///
  /// - Throws: `BadSetting` if a setting has an invalid value; `PlatformError` if there is no home.
  static func read(home folder: String?) throws -> (settings: DaemonSettings, strangers: [String]) {
    var environment = Environment.current
    if let folder { environment["NIGHTJAR_HOME"] = Disk.absolute(folder, from: Disk.resolved(".") ?? "") }
    let home = try Home(environment: environment)
    var settings = DaemonSettings(home: home, environment: environment)
    let file = try SettingsFile(at: home.state + "/nightjard.json")
    try settings.apply(SettingReader(environment: environment, file: file))
    let keys = defaults.map(\.key)
    return (settings, StrangeSettings.sentences(environment: environment, file: file, known: keys))
  }

  /// Every setting with its default and its variable, one a line.
  static var table: [String] {
    defaults.map { key, value in "\(padded(key, 30))\(padded(SettingReader.variable(key), 40))\(value)" }
  }

  private static var defaults: [(key: String, value: String)] {
    let limits = Limits()
    let launcher = LauncherSettings(environment: [:])
    let counts = Limits.counts.map { ($0.key, "\(limits[keyPath: $0.path])") }
    let times = Limits.durations.map { ($0.key, limits[keyPath: $0.path].inSeconds.short + " s") }
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
    return (counts + times + others).sorted { $0.0 < $1.0 }.map { (key: $0.0, value: $0.1) }
  }

  private static func padded(_ text: String, _ columns: Int) -> String {
    text + String(repeating: " ", count: max(1, columns - text.count))
  }
}

extension DaemonSettings {
  fileprivate mutating func apply(_ reader: SettingReader) throws(BadSetting) {
    try limits.apply(reader)
    try memory.apply(reader)
    try applyTransfers(reader)
    try applyProxies(reader)
    try applySensors(reader)
    launcher.logBytesMax = try reader.count("log.bytes.max").map { Int64($0) } ?? launcher.logBytesMax
    launcher.cgroups =
      try reader.read("cgroups", "automatic, never or an absolute path", CgroupChoice.init(setting:))
      ?? launcher.cgroups
    if let bus = try reader.bus("desktop.bus") { (desktop.isUsed, desktop.busAddress) = (bus != "never", bus) }
    let means = IdentityMeans.allCases.map { ("\($0)", $0) }
    identity = try reader.choice("identity", of: Dictionary(uniqueKeysWithValues: means))
  }

  private mutating func applyTransfers(_ reader: SettingReader) throws(BadSetting) {
    transferThreads = try reader.count("transfer.threads", from: 1, to: 256) ?? transferThreads
    bytesPerSecondMax = try reader.count("transfer.bytes.per.second.max", from: 1).map { Int64($0) }
    checkpointBytes = try reader.count("checkpoint.bytes", from: 1) ?? checkpointBytes
    checkpointInterval = try reader.time("checkpoint.interval", from: 0.01) ?? checkpointInterval
    trustedCertificates = try reader.text("trusted.certificates") { path in
      AuthorityFile(at: path).fault.map { "names \($0); name a PEM file of certificates, or leave the setting out" }
    }
  }

  private mutating func applySensors(_ reader: SettingReader) throws(BadSetting) {
    if let bus = try reader.bus("sensors.bus") { sensors.busAddress = bus == "never" ? nil : bus }
    sensors.sysfs = try reader.text("sensors.sysfs", "an absolute path", where: { $0.hasPrefix("/") }) ?? sensors.sysfs
    let words = ["automatic": true, "never": false]
    sensors.hearsUevents = try reader.choice("sensors.uevents", of: words) ?? sensors.hearsUevents
    sensors.pollInterval = try reader.time("sensors.poll.interval", from: 1) ?? sensors.pollInterval
  }

  /// Each configured value replaces the environment's one; an empty text means no proxy, or no exceptions.
  ///
  /// The environment's are not checked: desktops put kinds of proxies there that are not spoken to. Transfers report
  /// that.
  private mutating func applyProxies(_ reader: SettingReader) throws(BadSetting) {
    var chosen = proxies ?? Proxies()
    if let url = try reader.proxy("proxy.http") { chosen.http = url.isEmpty ? nil : url }
    if let url = try reader.proxy("proxy.https") { chosen.https = url.isEmpty ? nil : url }
    if let names = try reader.text("proxy.exceptions", "a text with commas between the names", ifEmpty: "") {
      chosen.exceptions = names.split { $0 == "," || $0 == " " }.map(String.init)
    }
    proxies = chosen.http == nil && chosen.https == nil ? nil : chosen
  }
}

extension SettingReader {
  /// The URL of a proxy, which may be written without its scheme; empty for none.
  fileprivate func proxy(_ key: String) throws(BadSetting) -> String? {
    let text = try text(key, ifEmpty: "") { Proxies.fault(in: Proxies.url($0)).map { "cannot be used: \($0)" } }
    return text.map { $0.isEmpty ? $0 : Proxies.url($0) }
  }

  /// The address of a bus, or `never`.
  fileprivate func bus(_ key: String) throws(BadSetting) -> String? {
    try text(
      key, "never, or an address such as unix:path=/run/dbus/system_bus_socket",
      where: { $0 == "never" || $0.contains(":") })
  }
}

extension CgroupChoice {
  /// A choice from its text in a setting.
  fileprivate init?(setting text: String) {
    switch text {
    case "automatic": self = .automatic
    case "never": self = .never
    case _ where text.hasPrefix("/"): self = .under(text)
    default: return nil
    }
  }
}

extension MemorySettings {
  fileprivate mutating func apply(_ reader: SettingReader) throws(BadSetting) {
    warningStall = try reader.time("memory.warning.stall") ?? warningStall
    urgentStall = try reader.time("memory.urgent.stall") ?? urgentStall
    window = try reader.time("memory.window", from: 0.5) ?? window
    warningPercent = try reader.count("memory.warning.percent", to: 100) ?? warningPercent
    urgentPercent = try reader.count("memory.urgent.percent", to: 100) ?? urgentPercent
    stallPercent = try reader.count("memory.stall.percent", to: 100) ?? stallPercent
    if let isPolled = try reader.yesOrNo("memory.polled") { usesStalls = !isPolled }
  }
}

extension Limits {
  fileprivate mutating func apply(_ reader: SettingReader) throws(BadSetting) {
    isRefreshRestricted = try reader.yesOrNo("background.refresh.restricted") ?? isRefreshRestricted
    for bound in Self.counts {
      let count = try reader.count(bound.key, from: bound.values.lowerBound, to: bound.values.upperBound)
      if let count { self[keyPath: bound.path] = count }
    }
    for bound in Self.durations {
      let time = try reader.time(bound.key, from: bound.values.lowerBound.inSeconds)
      if let time { self[keyPath: bound.path] = time }
    }
    try checkPairs()
  }

  /// Refuses a shortest time that is longer than the longest of its kind, such as `retry.delay.min` and
  /// `retry.delay.max`.
  private func checkPairs() throws(BadSetting) {
    for least in Self.durations where least.key.hasSuffix(".min") {
      let key = String(least.key.dropLast("min".count)) + "max"
      guard let most = Self.durations.first(where: { $0.key == key }) else { continue }
      let (shortest, longest) = (self[keyPath: least.path], self[keyPath: most.path])
      guard shortest > longest else { continue }
      throw BadSetting(
        description: "\(least.key) is \(shortest.inSeconds.short) s, which must not be more than \(key), which is "
          + "\(longest.inSeconds.short) s")
    }
  }
}
