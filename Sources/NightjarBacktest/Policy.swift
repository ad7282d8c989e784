/// When to fetch: asked at every tick, knowing what has happened up to it.
protocol Policy {
  /// Appends the apps to fetch now. Those for which `scene.mayFetch` does not hold are ignored.
  mutating func choose(_ scene: Scene, into chosen: inout [Int])
  /// Takes in what a fetch has brought, so many seconds after the content was last brought up to date.
  mutating func learn(_ app: Int, isNew: Bool, after pause: Int64, at time: Int64)
}

extension Policy {
  mutating func learn(_ app: Int, isNew: Bool, after pause: Int64, at time: Int64) {}
}

/// How things stand at a tick.
struct Scene {
  /// What is known of one app.
  struct App {
    /// When it was last launched; nil before the first launch.
    var launched: Int64?
    var launches = 0
    var isOpen = false
    /// When its last visit ended.
    var ended: Int64 = .min / 4
    /// When it was last fetched.
    var fetched: Int64 = .min / 4

    /// When its content was last brought up to date.
    var freshened: Int64 { max(ended, fetched) }
  }

  /// Which tick it is.
  var tick = 0
  /// Seconds of recorded days since the first one began.
  var time: Int64 = 0
  /// Seconds since 1970 on the person's clock.
  var clock: Int64 = 0
  /// Whether the device is in use, or was in the last five minutes.
  var isAwake = false
  /// When the device was used last.
  var used: Int64 = .min / 4
  var apps: [App]

  /// Whether the guards that hold for every policy allow it: launched before, not in the foreground, and 15 minutes
  /// after the last fetch.
  func mayFetch(_ app: Int) -> Bool {
    apps[app].launched != nil && !apps[app].isOpen && time - apps[app].fetched >= Scene.pauseMin
  }

  /// How old the app's content is, in minutes.
  func ageMinutes(_ app: Int) -> Double { Double(time - apps[app].freshened) / 60 }

  static let pauseMin: Int64 = 900
}
