import NightjarModel

/// What is known of the battery and of external power.
struct PowerReading: Hashable, Sendable {
  var power = Conditions.Power.external
  /// In percent; nil where there is no battery.
  var battery: Int?
  var isCharging = false
}

extension PowerReading {
  private static let batteryTypes: Set<Int64> = [2, 3]  // UPower's battery and UPS
  private static let charging: Int64 = 1

  /// What UPower says (https://upower.freedesktop.org/docs/): its own properties, and those of the device that stands
  /// for all batteries together.
  init?(upower: [String: BusValue], display: [String: BusValue]) {
    guard let onBattery = upower["OnBattery"]?.truth else { return nil }
    power = onBattery ? .battery : .external
    guard display["IsPresent"]?.truth == true, let type = display["Type"]?.number, Self.batteryTypes.contains(type),
      let percentage = display["Percentage"]?.real, percentage.isFinite
    else { return }
    battery = Int(min(max(percentage, 0), 100).rounded())
    isCharging = display["State"]?.number == Self.charging
  }
}

extension PowerReading {
  /// What stands below `/sys/class/power_supply` (Documentation/ABI/testing/sysfs-class-power); nil if nothing does.
  ///
  /// Batteries of mice and the like (`scope` is `Device`) are ignored. Several batteries count as one, weighted by what
  /// each holds where all of them say so.
  init?(sysfs root: String) {
    let supplies = Disk.names(in: root + "/class/power_supply").compactMap {
      Supply(folder: "\(root)/class/power_supply/\($0)")
    }
    guard !supplies.isEmpty else { return nil }
    let batteries = supplies.filter(\.isBattery)
    let lines = supplies.filter { !$0.isBattery }
    let isFed = lines.isEmpty ? !batteries.contains { $0.status == "Discharging" } : lines.contains(where: \.isOnline)
    power = isFed || batteries.isEmpty ? .external : .battery
    battery = Self.charge(of: batteries)
    isCharging = batteries.contains { $0.status == "Charging" }
  }

  private static func charge(of batteries: [Supply]) -> Int? {
    let levels = batteries.compactMap(\.capacity)
    guard !levels.isEmpty else { return nil }
    let weights = batteries.compactMap { $0.capacity == nil ? nil : $0.full }
    let whole = weights.reduce(0, +)
    guard weights.count == levels.count, whole > 0, whole.isFinite else { return levels.reduce(0, +) / levels.count }
    return Int(zip(levels, weights).reduce(0) { $0 + Double($1.0) * ($1.1 / whole) }.rounded())
  }
}

/// One folder of `/sys/class/power_supply`.
private struct Supply {
  let isBattery: Bool
  let isOnline: Bool
  let status: String?
  let capacity: Int?
  /// What it holds when full, in whatever unit; 0 if it is worn out.
  let full: Double?

  init?(folder: String) {
    func text(_ name: String) -> String? { Disk.line(of: "\(folder)/\(name)") }
    guard let type = text("type"), text("scope") != "Device", text("present") != "0" else { return nil }
    isBattery = type == "Battery" || type == "UPS"
    isOnline = text("online").flatMap { Int($0) } ?? 0 > 0
    status = text("status")
    capacity = text("capacity").flatMap { Int($0) }.map { min(max($0, 0), 100) }
    full = (text("energy_full") ?? text("charge_full")).flatMap { Double($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }
}

extension Disk {
  /// A short file's text without white space around it; nil if it cannot be read.
  static func line(of path: String) -> String? {
    guard let bytes = bytes(of: path, max: 4096) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
  }
}
