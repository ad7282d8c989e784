import Glibc
import Logging
import NIOPosix
import NightjarCore
import NightjarModel
import NightjarPlatform
import NightjarStore
import NightjarTransfer
import Varlink

/// The parts of a house, from the ground up: each needs those before it.
extension House {
  /// The base of everything else: the home, which is locked for this daemon from here on, and what is remembered in it.
  struct Ground: Sendable {
    let home: Home
    let lock: HomeLock
    let dataLock: DataLock
    let mailbox: Mailbox
    let clocks: Clocks
    let store: Store
    /// The supervisor as it is loaded from the database.
    let supervisor: Supervisor
    let lookout: Lookout
    /// What happened to a database that is gone or damaged, and to files that were staged for it, in words.
    let notices: [String]

    /// Whatever is lost or set aside is in the log at once: a later step may refuse, and the next daemon does not know.
    init(_ settings: DaemonSettings, _ logger: Logger) throws {
      home = settings.home
      try home.prepareState()
      lock = try HomeLock(home: home)
      mailbox = Mailbox()
      clocks = try Clocks()
      store = try Store(path: home.database) { logger.tell(ofDegradation: $0) }
      var memory = try store.load()
      memory.stage(in: home.staging)
      let isKnown = Self.knowAgain(&memory, in: home, store)
      supervisor = Supervisor(memory, limits: settings.limits, at: clocks.now())
      let isLost = memory.clock == nil && store.setAside == nil && home.hasBeenUsed
      let loss = isLost ? Self.lost(home.database) : nil
      if let loss { logger.tell(ofDegradation: loss) }
      // Staged files cannot belong to a database that was never committed to.
      let claim = try home.claimData(
        for: supervisor.bundles.map(\.id), isBlank: memory.isBlank,
        aside: memory.clock == nil ? store.setAside ?? 1 : nil)
      dataLock = claim.lock
      if let notice = claim.notice { logger.tell(ofDegradation: notice) }
      notices = store.notices + [loss, claim.notice].compactMap(\.self)
      if isKnown { home.noteLayout() }
      lookout = try Lookout()
      if memory.clock == nil { markAsUsed() }
    }

    /// Writes something into a new database: one that holds nothing has then lost what it held.
    private func markAsUsed() {
      try? store.commit(Changes(), clock: supervisor.ledger.clock, counters: supervisor.ledger.counters)
    }

    private static func lost(_ database: String) -> String {
      "The database \(database) holds nothing, though this home was in use before: it, or its log (-wal), was removed "
        + "or damaged. Transfers, sessions, settings of apps and scheduled notifications are forgotten."
    }

    /// Gives files that were restored from a backup their new stamps. False if that could not be saved, as on a full
    /// disk: then it is done again at the next start.
    private static func knowAgain(_ memory: inout Memory, in home: Home, _ store: Store) -> Bool {
      guard home.wasRestored, let clock = memory.clock else { return true }
      let changes = memory.restamp(home.restored)
      return changes.isEmpty || (try? store.commit(changes, clock: clock, counters: memory.counters)) != nil
    }
  }

  /// The rooms that carry out deeds: they start apps, move bytes and install bundles.
  struct Work: Sendable {
    let readBarrier = ReadBarrier()
    let launcher: Launcher
    let identity: PeerIdentity
    let library: AppLibrary
    let threads: MultiThreadedEventLoopGroup
    let transfers: TransferEngine
    let installer: BundleInstaller

    init(on ground: Ground, _ settings: DaemonSettings, _ logger: Logger) throws {
      let (home, mailbox) = (ground.home, ground.mailbox)
      launcher = try Launcher(home: home, lookout: ground.lookout, settings: settings.launcher) {
        [readBarrier] app, life, fact in
        let post: @Sendable () -> Void = { mailbox.post(.app(app, life: life, fact)) }
        switch fact {
        case .exited: readBarrier.hangUp({ $0.app == app }, then: post)
        case .orphaned(let leader): readBarrier.hangUp({ $0.app == app && $0.pid == leader }, then: post)
        case .launched, .launchFailed, .suspended, .locked, .inspected, .metered: post()
        }
      }
      identity = PeerIdentity(launcher: launcher, means: settings.identity)
      library = AppLibrary(home: home)
      threads = MultiThreadedEventLoopGroup(numberOfThreads: settings.transferThreads)
      let engine = settings.engine
      transfers = try TransferEngine(
        staging: home.staging, eventLoopGroup: threads, settings: engine, logger: logger,
        report: { id, attempt, fact in mailbox.post(.transfer(id, attempt: attempt, fact)) },
        reportDelivery: { id, attempt, fact in mailbox.post(.delivery(id, attempt: attempt, fact)) })
      installer = BundleInstaller(
        library: library, fileSystems: transfers.fileSystems, patience: engine.filePatience, mailbox: mailbox,
        logger: logger
      ) { [weak launcher] in launcher?.afterEnd(of: $0, $1) }  // Weak: what waits there holds the installer.
    }
  }

  /// The rooms that sense the device.
  struct Devices: Sendable {
    let memory: MemorySensor
    let logs: LogKeeper
    let zone: ZoneSensor
    let sensors: Sensors
    let clockWatch: ClockWatch

    init(on ground: Ground, _ settings: DaemonSettings, _ logger: Logger) throws {
      let (lookout, mailbox) = (ground.lookout, ground.mailbox)
      memory = try MemorySensor(lookout: lookout, settings: settings.memory) { mailbox.post(.pressed($0)) }
      logs = try LogKeeper(home: ground.home, bytesMax: settings.launcher.logBytesMax, lookout: try Lookout())
      let zone = ZoneSensor(lookout: lookout, environment: settings.launcher.environment) { rules in
        mailbox.post(.located(rules))
      }
      let sensors = Sensors(
        lookout: lookout, settings: settings.sensors,
        report: { conditions in
          mailbox.post(.sensed(conditions))
          zone.lookAgain()
        },
        reportSources: { mailbox.post(.sourcesChanged($0)) })
      clockWatch = try ClockWatch(lookout: lookout) { change in
        logger.info("\(change.words)")
        sensors.lookAgain()
        zone.lookAgain()
        mailbox.post(.awoke)
      }
      (self.zone, self.sensors) = (zone, sensors)
    }
  }

  /// The rooms that clients and people see.
  struct Face: Sendable {
    let views: ViewStore
    let screen: Screen
    let front: Front
    let service: VarlinkService

    init(on ground: Ground, _ work: Work, _ devices: Devices, _ settings: DaemonSettings, _ logger: Logger) throws {
      let (home, mailbox, clocks, tickets) = (ground.home, ground.mailbox, ground.clocks, Tickets())
      let facts = Self.facts(ground, work, devices, logger)
      views = ViewStore(
        snapshots: Snapshots(home: home, bytesMax: settings.limits.viewBytesMax), now: clocks.now().wall, logger: logger
      )
      screen = Screen(
        lookout: ground.lookout, home: home, library: work.library, mailbox: mailbox, tickets: tickets, logger: logger)
      front = Front(
        mailbox: mailbox, monitors: Monitors(clocks: { clocks.now() }), installer: work.installer, views: views,
        home: home, facts: facts, screen: screen, fileSystems: work.transfers.fileSystems,
        patience: FilePatience(settings.engine.filePatience, leaveTimeout: settings.limits.leaveTimeout),
        tickets: tickets, readBarrier: work.readBarrier, lookout: ground.lookout)
      let doorkeeper = Doorkeeper(work.identity, seatsMax: settings.limits.connectionsPerAppMax, logger: logger)
      service = try Self.service(front, doorkeeper, logger)
      work.readBarrier.listen(to: service)
    }

    private static func facts(_ ground: Ground, _ work: Work, _ devices: Devices, _ logger: Logger) -> StandingFacts {
      let found = Degradations.found(
        home: ground.home, launcher: work.launcher, identity: work.identity, memory: devices.memory, logs: devices.logs,
        zone: devices.zone)
      let degraded = found.map(\.detail)
      for line in degraded { logger.tell(ofDegradation: line) }
      return StandingFacts(
        version: Daemon.version, pid: getpid(), socket: ground.home.socket,
        degraded: degraded + ground.notices,
        stagingTrouble: { [transfers = work.transfers] in
          transfers.trouble.map { "\($0); transfers wait until that is mended" }
        })
    }

    private static func service(_ front: Front, _ doorkeeper: Doorkeeper, _ logger: Logger) throws -> VarlinkService {
      let hooks = VarlinkService.Hooks(
        onConnect: { socket in try doorkeeper.admit(socket) },
        onDisconnect: { connection, reason in
          let peer = connection.peer(as: Peer.self)
          doorkeeper.part(peer)
          if reason.code == .closed || reason.code == .stopped { return }
          logger.debug("a client was dropped: \(reason)", metadata: ["pid": "\(peer.pid)"])
        },
        onTrouble: { error in logger.log(level: error.code == .refused ? .debug : .warning, "\(error.detail)") })
      let service = try VarlinkService(
        .init(vendor: "Nightjar", product: "nightjard", version: Daemon.version, url: ""),
        interfaces: front.interfaces, hooks: hooks)
      front.pace(service)
      return service
    }
  }
}

extension TurnLoop {
  /// The loop that drives all parts of a house.
  convenience init(
    on ground: House.Ground, _ work: House.Work, _ devices: House.Devices, _ face: House.Face, _ logger: Logger
  ) throws {
    let mailbox = ground.mailbox
    let performer = Performer(
      front: face.front, transfers: work.transfers, launcher: work.launcher,
      freezer: Freezer(launcher: work.launcher, mailbox: mailbox), installer: work.installer,
      journal: Journal(home: ground.home, logger: logger), views: face.views,
      usageMeter: UsageMeter(launcher: work.launcher, sensor: devices.memory, mailbox: mailbox), screen: face.screen)
    let alarm = try Alarm(lookout: ground.lookout) { mailbox.post(.awoke) }
    self.init(
      mailbox: mailbox, store: ground.store, clocks: ground.clocks, performer: performer, alarm: alarm, logger: logger)
  }
}

extension Logger {
  /// Tells of something that is lost, or works less well than it could. `nightjar status` says it, too.
  fileprivate func tell(ofDegradation line: String) { notice("degraded: \(line)") }
}

extension ClockWatch.Change {
  fileprivate var words: String {
    switch self {
    case .woke(let span): "the machine has slept for \(span.inWords)"
    case .wasSet: "the wall clock was set"
    }
  }
}
