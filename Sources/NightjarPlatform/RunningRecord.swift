import NightjarModel

/// What the next daemon must know of an app that runs, written down before the app runs its first instruction.
///
/// It means nothing after a reboot, so it is not synced to the disk.
struct RunningRecord: Hashable, Sendable {
  var app: AppID
  var life: Int
  var pid: Int32
  var startTime: UInt64
  var boot: String
  /// The cgroup's folder and inode; nil without one.
  var leaf: LeafName?
  var isProgram: Bool

  struct LeafName: Hashable, Sendable {
    var path: String
    var inode: UInt64
  }

  /// Puts the record in place.
  func write(in home: Home) throws(PlatformError) {
    var lines = ["life \(life)", "pid \(pid)", "start \(startTime)", "boot \(boot)", "program \(isProgram ? 1 : 0)"]
    if let place = home.place { lines.append("place \(place)") }
    if let leaf { lines += ["inode \(leaf.inode)", "leaf \(leaf.path)"] }
    try Disk.replace(Self.path(app, home), with: lines.joined(separator: "\n") + "\n", synced: false)
  }

  /// Removes the record of an app.
  static func remove(_ app: AppID, in home: Home) { try? Tree.remove(path(app, home)) }

  /// All records of a home. Removes those that cannot be read, and those that were written in another place: their apps
  /// belong to the home that this is a copy of.
  static func all(in home: Home) -> [RunningRecord] {
    let place = home.place
    return Disk.names(in: home.running).compactMap { name in
      let path = home.running + "/" + name
      if AppID.isValid(name), let text = Disk.text(of: path), let record = RunningRecord(AppID(name), text, place) {
        return record
      }
      try? Tree.remove(path)
      return nil
    }
  }

  private static func path(_ app: AppID, _ home: Home) -> String { home.running + "/" + app.rawValue }
}

extension RunningRecord {
  fileprivate init?(_ app: AppID, _ text: String, _ place: String?) {
    var values: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") {
      let pair = line.split(separator: " ", maxSplits: 1)
      if pair.count == 2 { values[pair[0]] = pair[1] }
    }
    guard let life = values["life"].flatMap({ Int($0) }), let pid = values["pid"].flatMap({ Int32($0) }), pid > 1,
      let start = values["start"].flatMap({ UInt64($0) }), let boot = values["boot"],
      values["place"].map(String.init) ?? place == place  // An older daemon has named none.
    else { return nil }
    let inode = values["inode"].flatMap { UInt64($0) }
    let leaf = inode.flatMap { inode in values["leaf"].map { LeafName(path: String($0), inode: inode) } }
    self.init(
      app: app, life: life, pid: pid, startTime: start, boot: String(boot), leaf: leaf,
      isProgram: values["program"] == "1")
  }
}
