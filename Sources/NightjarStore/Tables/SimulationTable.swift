import GRDB
import NightjarCore
import NightjarModel

/// What a person has put in the place of the sensors: a row for each that is.
enum SimulationTable {
  private enum Name: String {
    case network, constrained, power
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
    var rows: [(Name, String)] = []
    if let network = simulated.network { rows.append((.network, network.rawValue)) }
    if let isConstrained = simulated.isConstrained {
      rows.append((.constrained, (isConstrained ? Answer.yes : .no).rawValue))
    }
    if let power = simulated.power { rows.append((.power, power.rawValue)) }
    return rows
  }

  private static func simulated(_ row: inout Columns) throws(DamagedRow) -> SimulatedConditions {
    let name: Name = try row.word()
    switch name {
    case .network: return SimulatedConditions(network: try row.word())
    case .constrained:
      let answer: Answer = try row.word()
      return SimulatedConditions(isConstrained: answer == .yes)
    case .power: return SimulatedConditions(power: try row.word())
    }
  }
}
