import Patience
import Foundation
import NightjarWire

/// Kills the app and the daemon again and again, takes away the network and the disk's space now and then, and watches
/// what the app is told meanwhile.
final class Siege {
  /// What the app had heard of a task when its acknowledgement had been committed.
  private struct Closed {
    var task: Int
    var heard: Int
  }

  private let home: Home
  private let probe: Probe
  private let disk: SmallDisk
  private var dice: Dice
  /// What the app is to move, from its next launch on.
  var transfers: [Instructions.Transfer] = []
  private var tasks: [Int64: Int] = [:]
  private var closed: [Int64: Closed] = [:]
  private(set) var (appKills, daemonKills) = (0, 0)
  /// How often the network went, and how often the disk was filled.
  private(set) var (outages, famines) = (0, 0)
  private var leavings = 0

  init(_ home: Home, _ probe: Probe, _ disk: SmallDisk, _ dice: Dice) {
    (self.home, self.probe, self.disk, self.dice) = (home, probe, disk, dice)
  }

  /// What was done, in words.
  var account: String {
    "\(appKills) kills of the app, \(daemonKills) of the daemon, \(outages) times no network, \(famines) no space, "
      + "\(pauses) cancelled with resume data, left \(leavings) times, \(suspensions) times suspended"
  }

  /// How many transfers the app has cancelled and been given resume data of.
  var pauses: Int { probe.heard.filter { $0.call == "kept" && $0.count != nil }.count }

  /// How often the app was suspended, as far as its history goes back in all.
  private(set) var suspensions = 0

  /// One kill, of the one or the other, at a random moment.
  func strike() async throws {
    try instruct()
    try await look()
    try await change()
    switch Int.random(in: 0..<10, using: &dice) {
    case 0..<4:
      try await bringUp()
      try await moment()
      if !killApp() { try await killDaemon() }
    case 4..<6:
      try await dieInACall()
    case 6..<8:
      try await leave()
    default:
      if Bool.random(using: &dice) { try await bringUp() }
      try await moment()
      try await killDaemon()
    }
  }

  private func instruct(diesIn calls: [String] = []) throws {
    try probe.instruct(.init(transfers: transfers, requestTimeout: 3, diesIn: calls))
  }

  /// Now and then there is no network, or no space on the disk, until the next change.
  private func change() async throws {
    switch Int.random(in: 0..<12, using: &dice) {
    case 0:
      _ = try await home.call(ControlInterface.SetDevice.self, .init(network: ControlInterface.Device.Network.none))
      outages += 1
    case 1:
      try disk.fill()
      famines += 1
    case 2..<6:
      try await relieve()
    default:
      break
    }
  }

  private func relieve() async throws {
    disk.empty()
    _ = try await home.call(ControlInterface.ResetDevice.self)
  }

  @discardableResult
  private func killApp() -> Bool {
    let apps = home.apps
    for pid in apps { kill(pid, SIGKILL) }
    if !apps.isEmpty { appKills += 1 }
    return !apps.isEmpty
  }

  private func killDaemon() async throws {
    home.crash()
    try await home.start()
    daemonKills += 1
  }

  /// A person leaves the app, and perhaps comes back. The daemon or the app is killed at any moment of that: while the
  /// app is told, confirms, stands still, is woken, or comes forward.
  private func leave() async throws {
    try await bringUp()
    if Bool.random(using: &dice) { try await moment() }
    _ = try await home.call(ControlInterface.Leave.self)
    leavings += 1
    if Bool.random(using: &dice) { try await waitUntilSuspended() }
    if Bool.random(using: &dice) { try await moment() }
    if Int.random(in: 0..<3, using: &dice) == 0 { try await probe.launch() }
    if Int.random(in: 0..<4, using: &dice) > 0 || !killApp() { try await killDaemon() }
  }

  /// For a while: it may have more to do.
  private func waitUntilSuspended() async throws {
    let end = ContinuousClock.now + .milliseconds(Int.random(in: 1...1500, using: &dice))
    while ContinuousClock.now < end {
      if try await probe.state() == .suspended {
        suspensions += 1
        return
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// The app dies between hearing a call and returning from it: what it then heard is not acknowledged.
  private func dieInACall() async throws {
    killApp()
    let calls = [
      "queued", "handleEvents", "didWriteData", "didFinishDownloadingTo", "didComplete", "didComplete",
      "didFinishEvents", "handlerCalled", "needNewBodyStream", "didSendBodyData", "kept",
    ]
    try instruct(diesIn: [calls.randomElement(using: &dice)!])
    try await bringUp()
    let end = ContinuousClock.now + .seconds(1)
    while !home.apps.isEmpty, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
    if home.apps.isEmpty { appKills += 1 } else { killApp() }
    try instruct()
  }

  /// Waits for a moment: any, or one in which the app has just been told something.
  private func moment() async throws {
    let patience = Duration.milliseconds(Int.random(in: 20...900, using: &dice))
    guard Bool.random(using: &dice) else { return try await Task.sleep(for: patience) }
    let heard = Files.size(probe.diary)
    let end = ContinuousClock.now + patience
    while Files.size(probe.diary) == heard, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// A person launches the app, unless it runs.
  private func bringUp() async throws {
    guard home.apps.isEmpty else { return }
    try await probe.launch()
  }

  /// After the last kill: everything comes to its end. The app is launched again when it has to ask anew.
  func lift() async throws {
    let names = Set(transfers.map(\.name))
    try await relieve()
    try instruct()
    try await relaunch()
    var (open, missing) = ([ControlInterface.Transfer](), names)
    defer {
      if !missing.isEmpty || !open.isEmpty { print("to the end \(open) were open; \(missing.sorted().map(story))") }
    }
    try await eventually("all \(names.count) transfers are told and acknowledged", within: .seconds(120)) {
      open = try await look()
      missing = names.subtracting(probe.completed)
      if missing.isEmpty, open.isEmpty { return true }
      if home.apps.isEmpty { try await probe.launch() }
      let asked = asked
      if open.isEmpty, missing.isSubset(of: failed()) { try await askAnew(after: asked) }
      return false
    }
  }

  /// A person ends the app and launches it. The daemon may launch it in between, but that would not bring back what was
  /// set aside because the app had crashed over it.
  private func relaunch() async throws {
    if !home.apps.isEmpty { try await probe.terminate() }
    try await probe.launch()
  }

  /// The app asks at its launch for what has failed.
  private func askAnew(after asked: Int) async throws {
    try await relaunch()
    try await eventually("the app asks anew") { self.asked > asked }
  }

  private var asked: Int { probe.heard.count { $0.call == "queued" } }

  /// The names of which the last word was a failure.
  private func failed() -> Set<String> {
    var last: [String: Heard] = [:]
    for line in probe.heard where line.call == "queued" || line.call == "didComplete" { last[line.name ?? ""] = line }
    return Set(last.filter { $0.value.error != nil }.keys)
  }

  /// Notes which acknowledgements have been committed: those transfers are gone.
  @discardableResult
  private func look() async throws -> [ControlInterface.Transfer] {
    let open = try await probe.transfers()
    for transfer in open { tasks[transfer.id] = Int(transfer.task ?? 0) }
    let present = Set(open.map(\.id))
    let heard = ends()
    for (id, task) in tasks where !present.contains(id) && closed[id] == nil {
      closed[id] = Closed(task: task, heard: heard.filter { $0.task == task }.count)
    }
    return open
  }

  /// What the app was told again after the acknowledgement had been committed.
  func repeated() -> [String] {
    let heard = ends()
    return closed.sorted { $0.key < $1.key }.compactMap { id, closed in
      let told = heard.filter { $0.task == closed.task }
      guard told.count != closed.heard else { return nil }
      return "transfer \(id), task \(closed.task), told \(closed.heard) times before it was gone, in all: \(told)"
    }
  }

  /// The ends without an error that are no success either: what has come whole every server here answers with 200.
  func refused() -> [String] {
    ends().filter { $0.error == nil && $0.status.map { !(200...299).contains($0) } ?? true }.map { "\($0)" }
  }

  /// All that the app has heard of a transfer.
  func story(of name: String) -> [String] { probe.heard.filter { $0.name == name }.map { "\($0)" } }

  /// The tasks of which one life of the app was told twice.
  func stuttered() -> [Int] {
    let lives = Dictionary(grouping: ends()) { "\($0.pid) \($0.task ?? 0)" }
    return lives.values.filter { $0.count > 1 }.compactMap { $0.first?.task }
  }

  /// Those of the staged files that nobody can go on with. A failed download's are kept for its resume data.
  ///
  /// A transfer that came and went between two looks is known by its task alone: that many files may have other
  /// numbers.
  func strays(among files: [String]) -> Set<String> {
    let failed = Set(ends().filter { $0.error != nil }.compactMap(\.task))
    let seen = Dictionary(uniqueKeysWithValues: tasks.map { ("\($0.key).part", $0.value) })
    let unseen = files.filter { seen[$0] == nil }
    let strays = files.filter { file in seen[file].map { !failed.contains($0) } ?? false }
    return Set(strays + (unseen.count > failed.subtracting(seen.values).count ? unseen : []))
  }

  /// How many ends were told to a further life, because the acknowledgement of an earlier one was lost with it.
  var retellings: Int {
    let told = ends()
    return told.count - Set(told.map(\.task)).count
  }

  private func ends() -> [Heard] { probe.heard.filter { $0.call == "didComplete" } }
}
