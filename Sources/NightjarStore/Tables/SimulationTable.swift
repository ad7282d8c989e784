import GRDB
import NightjarCore
import NightjarModel

/// The simulated sensors: a row for each.
enum SimulationTable {
  private enum Name: String {
    case network, constrained, power, battery, charging, lowPower, locked
  }

  private enum Answer: String {
    case yes, no
  }

  private static let insert = "INSERT INTO simulation (name, value) VALUES (?, ?)"
  private static let delete = "DELETE FROM simulation"
  private static let select = "SELECT name, value FROM simulation ORDER BY name"

  static func write(_ simulated: SimulatedConditions?, to db: Database) throws {
    guard let simulated else { return }
    try RowWriter(db, delete).write { _ in }
    let insert = try RowWriter(db, insert)
    for (name, value) in rows(simulated) {
      try insert.write { row in
        row.add(name.rawValue)
        row.add(value)
      }
    }
  }

  static func read(into loading: inout Loading, _ db: Database) throws {
    try loading.read(db, "simulation", select) { row throws(DamagedRow) in
      try simulated(&row)
    } keep: {
      $0.simulated.take($1)
    }
  }

  private static func rows(_ simulated: SimulatedConditions) -> [(Name, String)] {
    let answers: [(Name, Bool?)] = [
      (.constrained, simulated.isConstrained), (.charging, simulated.isCharging), (.lowPower, simulated.isLowPower),
      (.locked, simulated.isLocked),
    ]
    let values: [(Name, String?)] = [
      (.network, simulated.network?.rawValue), (.power, simulated.power?.rawValue),
      (.battery, simulated.battery.map(String.init)),
    ]
    return (values + answers.map { ($0, $1.map { ($0 ? Answer.yes : .no).rawValue }) }).compactMap { name, value in
      value.map { (name, $0) }
    }
  }

  private static func simulated(_ row: inout Columns) throws(DamagedRow) -> SimulatedConditions {
    let name: Name = try row.word()
    switch name {
    case .network: return SimulatedConditions(network: try row.word())
    case .constrained: return SimulatedConditions(isConstrained: try answer(&row))
    case .power: return SimulatedConditions(power: try row.word())
    case .battery: return SimulatedConditions(battery: try percent(&row))
    case .charging: return SimulatedConditions(isCharging: try answer(&row))
    case .lowPower: return SimulatedConditions(isLowPower: try answer(&row))
    case .locked: return SimulatedConditions(isLocked: try answer(&row))
    }
  }

  private static func percent(_ row: inout Columns) throws(DamagedRow) -> Int {
    guard let percent = Int(try row.text()), 0...100 ~= percent else { throw row.damage("no percentage") }
    return percent
  }

  private static func answer(_ row: inout Columns) throws(DamagedRow) -> Bool {
    let answer: Answer = try row.word()
    return answer == .yes
  }
}
