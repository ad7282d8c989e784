import Dispatch
import Glibc
import Logging
import NIOCore
import NIOPosix
import NightjarCore
import NightjarModel
import NightjarPlatform
import NightjarStore
import NightjarTransfer
import Varlink

/// All rooms of a daemon, opened in their order and wired through the mailbox.
final class House: Sendable {
  let mailbox: Mailbox
  private let lock: HomeLock
  private let store: Store
  private let supervisor: Supervisor
  private let lookout: Lookout
  private let launcher: Launcher
  private let sensors: Sensors
  private let clockWatch: ClockWatch
  private let memorySensor: MemorySensor
  private let zoneSensor: ZoneSensor
  private let logs: LogKeeper
  private let threads: MultiThreadedEventLoopGroup
  private let transfers: TransferEngine
  private let chores: Chores
  private let gallery: Gallery
  private let screen: Screen
  private let library: AppLibrary
  private let service: VarlinkService
  private let engine: Engine
  private let logger: Logger
  private let notice: ServiceNotice
  private let stops: AsyncStream<Never>
  private let stopper: AsyncStream<Never>.Continuation

  init(_ settings: DaemonSettings, logger: Logger) throws(DaemonError) {
    (stops, stopper) = AsyncStream.makeStream(of: Never.self)
    notice = ServiceNotice(environment: settings.launcher.environment)
    do {
      let home = settings.home
      try home.prepareState()
      lock = try HomeLock(home: home)
      let mailbox = Mailbox()
      let clocks = try Clocks()
      let store = try Store(path: home.database)
      let supervisor = Supervisor(try store.load(), limits: settings.limits, at: clocks.now())
      try home.claimData(for: supervisor.bundles.map(\.id))
      let stagingNotice = store.setAside.flatMap(home.setStagingAside)
      let lookout = try Lookout()
      let lastWords = LastWords()
      let launcher = try Launcher(home: home, lookout: lookout, settings: settings.launcher) { app, life, fact in
        guard case .exited = fact else { return mailbox.post(.app(app, life: life, fact)) }
        lastWords.heard({ $0.app == app }, then: { mailbox.post(.app(app, life: life, fact)) })
      }
      let identity = PeerIdentity(launcher: launcher, means: settings.identity)
      library = AppLibrary(home: home)
      threads = MultiThreadedEventLoopGroup(numberOfThreads: settings.transferThreads)
      transfers = try TransferEngine(
        staging: home.staging, eventLoopGroup: threads, settings: settings.engine, logger: logger,
        report: { id, attempt, fact in mailbox.post(.transfer(id, attempt: attempt, fact)) },
        reportDelivery: { id, attempt, fact in mailbox.post(.delivery(id, attempt: attempt, fact)) })
      chores = Chores(
        library: library, fileSystems: transfers.fileSystems, patience: settings.engine.filePatience, mailbox: mailbox,
        logger: logger)
      memorySensor = try MemorySensor(lookout: lookout, settings: settings.memory) { mailbox.post(.pressed($0)) }
      logs = try LogKeeper(home: home, bytesMax: settings.launcher.logBytesMax, lookout: lookout)
      let zoneSensor = ZoneSensor(lookout: lookout, environment: settings.launcher.environment) { rules in
        mailbox.post(.located(rules))
      }
      self.zoneSensor = zoneSensor
      let degraded = Degradations.found(
        home: home, launcher: launcher, identity: identity, memory: memorySensor, logs: logs, zone: zoneSensor)
      let facts = StandingFacts(
        version: Daemon.version, pid: getpid(), socket: home.socket,
        degraded: degraded.map(\.detail) + store.notices + [stagingNotice].compactMap(\.self))
      gallery = Gallery(
        snapshots: Snapshots(home: home, bytesMax: settings.limits.viewBytesMax), now: clocks.now().wall, logger: logger
      )
      let tickets = Tickets()
      screen = Screen(
        lookout: lookout, home: home, library: library, mailbox: mailbox, tickets: tickets, logger: logger)
      let front = Front(
        mailbox: mailbox, monitors: Monitors(clocks: { clocks.now() }), chores: chores, gallery: gallery, home: home,
        facts: facts, screen: screen, fileSystems: transfers.fileSystems, tickets: tickets, lastWords: lastWords)
      let doorkeeper = Doorkeeper(identity, seatsMax: settings.limits.connectionsPerAppMax, logger: logger)
      service = try Self.service(front, doorkeeper, logger)
      lastWords.listen(to: service)
      let journal = Journal(home: home, logger: logger)
      let performer = Performer(
        front: front, transfers: transfers, launcher: launcher, chores: chores, journal: journal,
        gallery: gallery, scales: Scales(launcher: launcher, sensor: memorySensor, mailbox: mailbox), screen: screen)
      let alarm = try Alarm(lookout: lookout) { mailbox.post(.awoke) }
      engine = Engine(
        mailbox: mailbox, store: store, clocks: clocks, performer: performer, alarm: alarm, logger: logger)
      let sensors = Sensors(
        lookout: lookout, settings: settings.sensors,
        report: { conditions in
          mailbox.post(.sensed(conditions))
          zoneSensor.lookAgain()
        },
        reportSources: { mailbox.post(.sourcesChanged($0)) })
      self.sensors = sensors
      clockWatch = try ClockWatch(lookout: lookout) { change in
        logger.info("\(change.words)")
        sensors.lookAgain()
        zoneSensor.lookAgain()
        mailbox.post(.awoke)
      }
      (self.mailbox, self.logger, self.supervisor) = (mailbox, logger, supervisor)
      (self.lookout, self.launcher, self.store) = (lookout, launcher, store)
      try reconcile()
      home.clearSocket()
      try service.start(on: Self.listeners(home))
      do { try home.linkSocket() } catch { logger.warning("not every client finds the socket: \(error.detail)") }
      for line in facts.degraded { logger.notice("degraded: \(line)") }
      logger.notice("nightjard \(Daemon.version) serves \(home.socket)")
      screen.start(settings.desktop)
      notice.ready()
    } catch {
      throw DaemonError(error)
    }
  }

  /// Tells the supervisor what was found at start: bundles on the disk, apps that still run. What nobody remembers goes.
  private func reconcile() throws {
    for error in library.sweep() { logger.warning("what an app left behind stays: \(error.detail)") }
    let listing = try library.list()
    for (app, error) in listing.broken.sorted(by: { $0.key < $1.key }) {
      logger.error("an installed bundle cannot be used: \(error.detail)", metadata: ["app": "\(app)"])
    }
    let found = Set(listing.bundles.map(\.id)).union(listing.broken.keys)
    for bundle in listing.bundles { mailbox.post(.installed(bundle.app, nil)) }
    let missing = (supervisor.bundles.map(\.id) + supervisor.departedApps).filter { !found.contains($0) }
    for app in missing where library.isGone(app) { mailbox.post(.uninstalled(app)) }
    launcher.adopt { survivor in
      mailbox.post(
        .adopted(survivor.app, life: survivor.life, pid: survivor.pid, isFrozen: survivor.isFrozen))
    }
    try tidyStaging()
    sensors.start { [mailbox] in mailbox.post(.started) }  // After their first report.
  }

  /// Keeps of staged files what somebody can use. It is done before the first commit, which might find no room otherwise.
  private func tidyStaging() throws {
    for id in try transfers.stagedTransfers() {
      guard supervisor.remembers(id) else {
        try? transfers.trim(id, to: 0)  // At once; what else there is of it goes when there is time.
        transfers.discard(id)
        continue
      }
      guard let bytes = supervisor.usableBytes(of: id) else { continue }
      do { try transfers.trim(id, to: bytes) } catch {
        logger.warning("what is of no use stays in the staging area: \(error.detail)", metadata: ["transfer": "\(id)"])
      }
    }
  }

  private static func service(_ front: Front, _ doorkeeper: Doorkeeper, _ logger: Logger) throws -> VarlinkService {
    let hooks = VarlinkService.Hooks(
      onConnect: { socket in try doorkeeper.admit(socket) },
      onDisconnect: { connection, _ in doorkeeper.part(connection.peer(as: Peer.self)) },
      onTrouble: { error in logger.log(level: error.code == .refused ? .debug : .warning, "\(error.detail)") })
    let service = try VarlinkService(
      .init(vendor: "Nightjar", product: "nightjard", version: Daemon.version, url: ""),
      interfaces: front.interfaces, hooks: hooks)
    front.mailbox.whenPressureChanges { [weak service] isFull in
      if isFull { service?.pauseReading() } else { service?.resumeReading() }
    }
    return service
  }

  /// The home's socket: the one that a service manager has bound and keeps while daemons come and go, so that callers wait
  /// meanwhile (sd_listen_fds(3)), or else one of our own.
  private static func listeners(_ home: Home) throws(TransportError) -> [VarlinkListener] {
    let inherited = try VarlinkListener.activated()
    if inherited.contains(where: { $0.address == "unix:\(home.socket)" }) { return inherited }
    return try inherited + [VarlinkListener(binding: VarlinkAddress(path: home.socket, mode: 0o600))]
  }

  /// Turns until it is asked to stop. Then no call is taken any more, every transfer is stopped at its last byte, and
  /// what they report is committed, so that the next daemon goes on right there.
  ///
  /// - Returns: Why it stopped unasked; nil if it was asked to.
  func live() async -> DaemonError? {
    async let failure = turn()
    for await _ in stops {}
    notice.stopping()
    mailbox.post(.stopping)
    service.stop()
    await transfers.shutdown()
    mailbox.finish()
    return await failure
  }

  /// Asks it to stop; from any thread.
  func stop() { stopper.finish() }

  /// Turns until the mailbox has ended, on a thread of its own.
  private func turn() async -> DaemonError? {
    await withCheckedContinuation { continuation in
      let queue = DispatchQueue(label: "nightjar.engine", qos: .userInitiated)
      queue.async { [self] in
        var failure: DaemonError?
        do throws(StoreError) { try engine.run(supervisor) } catch { failure = DaemonError(error) }
        stop()
        continuation.resume(returning: failure)
      }
    }
  }

  /// Closes the rooms. Apps that run live on; transfers go on from their last checkpoint with the next daemon.
  func close() async {
    await withCheckedContinuation { done in lookout.perform { done.resume() } }  // The last orders to apps come before.
    lookout.stop()
    chores.finish()
    gallery.finish()
    store.close()
    try? await threads.shutdownGracefully()
    logger.notice("nightjard has stopped; apps and transfers go on with the next one")
  }
}

extension DaemonSettings {
  fileprivate var engine: EngineSettings {
    var engine = EngineSettings()
    engine.connectionsPerHostMax = limits.runningPerHostMax
    engine.trustedCertificates = trustedCertificates
    engine.bytesPerSecondMax = bytesPerSecondMax
    engine.proxies = proxies
    (engine.checkpointInterval, engine.checkpointBytes) = (checkpointInterval, Int64(checkpointBytes))
    engine.unsyncedMax = max(engine.unsyncedMax, 2 * Int64(checkpointBytes))
    return engine
  }
}

extension ClockWatch.Change {
  fileprivate var words: String {
    switch self {
    case .woke(let span): "the machine has slept for \(span.inWords)"
    case .wasSet: "the wall clock was set"
    }
  }
}

extension DaemonError {
  /// What a person needs to know of any room's error.
  init(_ error: any Error) {
    switch error {
    case let error as PlatformError: self.init(detail: error.detail)
    case let error as StoreError: self.init(detail: error.detail)
    case let error as TransportError: self.init(detail: error.detail)
    case let error as TransferFailure: self.init(detail: error.detail)
    default: self.init(detail: "\(error)")
    }
  }
}
