import Foundation
import NightjarClient
import NightjarWire

/// The acts, one after the other. Each waits for facts, never for a time that somebody guessed.
@MainActor
final class Play {
  let plan: Plan
  let grounds: Grounds
  let watch = DaemonWatch()
  private(set) var story = Story()
  private(set) var farmRecord = FarmRecord()
  private(set) var appRecord = AppRecord()
  private(set) var daemon: StartedProcess?
  private(set) var farm: StartedProcess?

  private let environment: [String: String]
  private let interrupts: Interrupts
  private let screen: Screen
  private let clock = ContinuousClock()
  private var began: ContinuousClock.Instant
  private var farmLog: GrowingLog
  private var appLog: GrowingLog
  private(set) var app: ForeignProcess?
  private var connection: DaemonConnection?
  private var daemonMayEnd = false

  init(_ plan: Plan, on grounds: Grounds, environment: [String: String], interrupts: Interrupts, screen: Screen) {
    (self.plan, self.grounds, self.interrupts, self.screen) = (plan, grounds, interrupts, screen)
    self.environment = environment.filter { !$0.key.hasPrefix("NIGHTJAR_") }
    (farmLog, appLog) = (GrowingLog(grounds.farmLog), GrowingLog(grounds.appLog))
    began = clock.now
  }

  /// Since the app was launched.
  var elapsed: Duration { story.ended ?? clock.now - began }

  /// Plays everything through.
  ///
  /// - Throws: `DemoError` with the fact that never came, or `Interrupted`.
  func run(resources: String) async throws {
    try await open(resources)
    try await launch()
    try await killApp()
    try await killDaemon()
    try await restart()
    try await arrive()
  }
}

// MARK: - Acts

extension Play {
  private func open(_ resources: String) async throws {
    try grounds.assembleBundle(from: resources)
    try grounds.generateMovie(size: plan.movieSize)
    farm = try StartedProcess(
      grounds.program("videofarm-server"),
      [
        "--data", grounds.farmData, "--rate", "\(plan.rate)", "--seed", "\(plan.movies)", "--seed-size",
        "\(plan.movieSize)",
      ], environment: environment, output: grounds.farmOutput, errors: grounds.farmLog)
    story.farm = farm?.id
    var output = GrowingLog(grounds.farmOutput)
    try await until("the server names its port") {
      for line in output.newLines() { story.port = line.split(separator: ":").last.flatMap { Int($0) } ?? 0 }
      return story.port > 0
    }
    _ = try await startDaemon()
    _ = try await ask(ControlInterface.Install.self, .init(path: grounds.bundle))
  }

  private func launch() async throws {
    let words = [
      "VIDEOFARM_SERVER=http://127.0.0.1:\(story.port)", "download-all", "upload", grounds.source, "Holiday",
    ]
    began = clock.now
    let reply = try await ask(
      ControlInterface.Launch.self, .init(app: Grounds.app, arguments: words))
    story.app = Int32(reply.pid)
    app = ForeignProcess(Int32(reply.pid))
    try await until("the app has asked for everything, and was told of the thumbnails") {
      let heard = watch.heard
      let thumbnails = heard.inOrder.filter(\.isThumbnail)
      return appRecord.has("orders done") && appRecord.jobs.count == plan.transfers
        && thumbnails.count == plan.movies && thumbnails.allSatisfy { heard.gone.contains($0.id) }
    }
    tell("The app asked for \(plan.movies * 2) downloads and an upload; the thumbnails are there.")
  }

  private func killApp() async throws {
    guard let app else { throw DemoError("the app ended as soon as it was launched") }
    try await until("a third of the bytes has come") { share >= plan.appDiesAt }
    let blow = blow(to: app.id)
    app.send(SIGKILL)
    try await until("the app is dead") { app.hasEnded }
    story.appDied = blow
    story.app = nil
    tell("SIGKILL to the app, process \(app.id): \(bytes(blow.bytes)) of \(bytes(plan.bytes)) have moved.")
  }

  private func killDaemon() async throws {
    guard let daemon else { return }
    var looked = clock.now
    try await until("two thirds have come, and some of each movie is safe on the disk") {
      guard share >= plan.daemonDiesAt, clock.now - looked > .milliseconds(200) else { return false }
      looked = clock.now
      return isEveryMovieSafe
    }
    let blow = blow(to: daemon.id)
    daemonMayEnd = true
    daemon.send(SIGKILL)
    try await until("the daemon is dead") { daemon.hasEnded }
    story.daemonDied = blow
    story.daemon = nil
    connection = nil
    story.safe = try SafePoints(database: grounds.database, copyingTo: grounds.folder).bytes
    tell("SIGKILL to the daemon, process \(daemon.id): \(bytes(blow.bytes)) of \(bytes(plan.bytes)) have moved.")
    try await until("the server sees its connections cut") {
      movies.allSatisfy { farmRecord.answers[$0.video]?.allSatisfy { $0.bytes != nil } ?? false }
    }
  }

  private func restart() async throws {
    story.untilServing = try await startDaemon()
    daemonMayEnd = false
    tell("A new daemon, process \(story.daemon ?? 0), serves after \(seconds(story.untilServing ?? .zero)).")
  }

  private func arrive() async throws {
    try await until("every movie is asked for again") {
      movies.allSatisfy { (farmRecord.answers[$0.video]?.count ?? 0) > 1 || watch.heard.gone.contains($0.id) }
    }
    let points = movies.compactMap { farmRecord.answers[$0.video]?.last?.from }.map(bytes)
    tell("The movies go on at \(points.joined(separator: ", ")).")
    try await until("the daemon launches the app into the background") { appRecord.has("launched background") }
    let process = appRecord.lines("launched background")[0].process
    (story.app, app) = (process, ForeignProcess(process))
    tell("All is there. The daemon launches the app, process \(process), in the background.")
    try await until("the app was told everything and is suspended") {
      watch.heard.gone.count >= plan.transfers && watch.heard.app?.state == .suspended
    }
    (story.ended, story.isAppSuspended) = (clock.now - began, true)
    let left = try await ask(ControlInterface.ListTransfers.self, .init()).transfers.count
    let files = try FileManager.default.contentsOfDirectory(atPath: grounds.staging).count
    story.leftOver = (left, files)
    tell("The app was told everything, and is suspended.")
  }
}

// MARK: - What the acts are made of

extension Play {
  /// The movies that are downloaded, in the order in which they were asked for.
  var movies: [DaemonWatch.Transfer] { watch.heard.inOrder.filter { !$0.isThumbnail && !$0.isUpload } }

  private var share: Double { Double(watch.heard.bytes) / Double(plan.bytes) }

  /// Whether a copy of the daemon's database, which may be a moment old, has a safe point for each movie under way.
  private var isEveryMovieSafe: Bool {
    guard let safe = try? SafePoints(database: grounds.database, copyingTo: grounds.folder).bytes else {
      return false
    }
    return movies.allSatisfy { safe[$0.id, default: 0] > 0 || $0.state == .succeeded }
  }

  private func blow(to process: Int32) -> Story.Blow {
    let heard = watch.heard
    return Story.Blow(at: elapsed, process: process, bytes: heard.bytes, transfers: heard.inOrder)
  }

  /// Starts a daemon, and tells how long it took to answer.
  private func startDaemon() async throws -> Duration {
    let start = clock.now
    // The show goes on whatever this machine's battery and network are like.
    let settings = [
      "NIGHTJAR_HOME": grounds.homeFolder, "NIGHTJAR_SENSORS_BUS": "never", "NIGHTJAR_DESKTOP_BUS": "never",
      "NIGHTJAR_SENSORS_SYSFS": grounds.homeFolder + "/sys",
    ]
    let daemon = try StartedProcess(
      grounds.program("nightjard"), [], environment: environment.merging(settings) { $1 },
      output: grounds.daemonLog, errors: grounds.daemonLog)
    (self.daemon, story.daemon) = (daemon, daemon.id)
    try await until("the daemon answers", lookingEvery: .milliseconds(2)) {
      guard !daemon.hasEnded else { throw DemoError("nightjard ended at once; \(grounds.daemonLog) says why") }
      connection = try? DaemonConnection(to: grounds.socket)
      return connection != nil
    }
    _ = try await connection?.call(ControlInterface.Status.self)
    let served = clock.now - start
    try watch.listen(to: DaemonConnection(to: grounds.socket))
    try await until("the daemon has told what there is") { watch.heard.isCurrent }
    return served
  }

  private func ask<Method: WireMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    guard let connection else { throw DemoError("there is no daemon to ask") }
    return try await connection.call(method, parameters)
  }

  /// Waits for a fact, looking at everything and drawing it meanwhile.
  private func until(
    _ fact: String, lookingEvery pause: Duration = .milliseconds(20), _ holds: () throws -> Bool
  ) async throws {
    let deadline = clock.now + plan.patience
    while true {
      try look()
      if try holds() { return screen.draw(self) }
      screen.draw(self)
      if interrupts.hasCome { throw Interrupted() }
      guard clock.now < deadline else {
        throw DemoError("waited \(seconds(plan.patience)) in vain until \(fact)")
      }
      try await Task.sleep(for: pause)
    }
  }

  private func look() throws {
    for line in farmLog.newLines() { farmRecord.read(line) }
    for line in appLog.newLines() { appRecord.read(line) }
    if farm?.hasEnded == true { throw DemoError("the server ended unasked; its log is \(grounds.farmLog)") }
    if daemon?.hasEnded == true, !daemonMayEnd {
      throw DemoError("the daemon ended unasked; its log is \(grounds.daemonLog)")
    }
  }

  private func tell(_ text: String) {
    story.events.append(Story.Event(at: elapsed, text: text))
    screen.draw(self, isImportant: true)
  }

  /// Says why it could not go on.
  func breakOff(_ error: any Error) {
    let words = "\(error)".map { $0.isNewline || $0.unicodeScalars.contains { $0.value < 0x20 } ? " " : $0 }
    story.brokenOff = String(words)
    tell("Broken off: \(String(words))")
  }
}
