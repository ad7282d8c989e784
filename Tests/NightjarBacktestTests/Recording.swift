import Foundation

@testable import NightjarBacktest

/// A made-up person's usage, as a trace would have it, and a folder to put it into.
final class Recording {
  let folder = "/tmp/nightjar-backtest-\(UInt64.random(in: 0 ..< .max))"

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Writes a file, and gives its path.
  func file(_ bytes: some Sequence<UInt8>, _ name: String = "traces.tsv") throws -> String {
    let path = "\(folder)/\(name)"
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  func file(_ lines: [String], _ name: String = "traces.tsv") throws -> String {
    try file(Data((lines.joined(separator: "\n") + "\n").utf8), name)
  }

  static let header = "user_id\ttimestamp\tapp_name\tplatform"

  /// What people do on so many days: mail at half past eight and at noon on each, news in the evening, maps at odd
  /// hours; a shell stands between them. Times vary by some minutes, in the same way each time.
  static func lines(users: [String] = ["ann", "bob"], days: Int = 18) -> [String] {
    users.flatMap { user in
      var dice = Dice(seed: UInt64(user.utf8.reduce(0) { $0 + Int($1) }))
      return (0..<days).flatMap { day in Self.day(day, user, &dice) }
    }
  }

  private static func day(_ day: Int, _ user: String, _ dice: inout Dice) -> [String] {
    let plan = [(510, "mail"), (720, "mail"), (1200, "news"), (600 + dice.below(600), "maps")]
    let visits = plan.map { minute, app in (minute * 60 + dice.below(1200), app) }
    return visits.flatMap { second, app in
      [line(user, day, second, app), line(user, day, second + 90, "sys01")]
    }.sorted()
  }

  static func line(_ user: String, _ day: Int, _ second: Int, _ app: String) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = "2027-\(two(1 + day / 28))-\(two(1 + day % 28))"
    return "\(user)\t\(date) \(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))\t\(app)\tdesktop"
  }

  /// All that a reader makes of a file.
  static func read(
    _ path: String, users: Set<String>? = nil, rowsMax: Int = RowSorter.rowsMax
  ) throws -> (diaries: [Diary], complaints: TraceComplaints) {
    var diaries: [Diary] = []
    let complaints = try Traces.read(path, users: users, rowsMax: rowsMax) { diary throws(TraceError) in
      diaries.append(diary)
    }
    return (diaries.sorted { $0.user < $1.user }, complaints)
  }

  /// The course of one person.
  static func course(_ diary: Diary) throws -> Course { try Course.lay(diary).get() }
}
