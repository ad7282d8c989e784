import Dispatch
import Logging
import NIOCore
import NIOPosix
import NightjarCore
import NightjarModel
import NightjarPlatform
import NightjarStore
import NightjarTransfer
import Synchronization
import Varlink

/// All rooms of a daemon, opened in their order and wired through the mailbox.
final class House: Sendable {
  private let ground: Ground
  private let work: Work
  private let devices: Devices
  private let face: Face
  private let turnLoop: TurnLoop
  private let desktop: DesktopSettings
  private let logger: Logger
  private let notice: ServiceNotice
  /// Keeps the socket in its place; nil where a service manager has bound it.
  private let socket = Mutex<SocketKeeper?>(nil)
  private let stops: AsyncStream<Never>
  private let stopper: AsyncStream<Never>.Continuation

  private var mailbox: Mailbox { ground.mailbox }

  /// Builds a house that lets no client in yet.
  init(_ settings: DaemonSettings, logger: Logger) throws(DaemonError) {
    (stops, stopper) = AsyncStream.makeStream(of: Never.self)
    (desktop, self.logger) = (settings.desktop, logger)
    notice = ServiceNotice(environment: settings.launcher.environment)
    do {
      ground = try Ground(settings, logger)
      work = try Work(on: ground, settings, logger)
      devices = try Devices(on: ground, settings, logger)
      face = try Face(on: ground, work, devices, settings, logger)
      turnLoop = try TurnLoop(on: ground, work, devices, face, logger)
    } catch {
      throw DaemonError(error)
    }
  }

  /// Tells the supervisor what was found at start, and lets clients in.
  func open() throws(DaemonError) {
    let home = ground.home
    do {
      try reconcile()
      home.clearSocket()
      try listen()
    } catch {
      throw DaemonError(error)
    }
    do { try home.linkSocket() } catch { logger.warning("not every client finds the socket: \(error.detail)") }
    ground.store.noteTold()
    logger.notice("nightjard \(Daemon.version) serves \(home.socket)")
    face.screen.start(desktop)
    notice.ready()
  }

  /// Tells the supervisor what was found at start: bundles on the disk, apps that still run. Removes files that the
  /// database does not know, and the broken bundle of an app whose removal was cut short.
  private func reconcile() throws {
    for error in work.library.sweep() { logger.warning("what an app left behind stays: \(error.detail)") }
    let listing = try work.library.list()
    for (app, error) in listing.broken.sorted(by: { $0.key < $1.key }) {
      logger.error("an installed bundle cannot be used: \(error.detail)", metadata: ["app": "\(app)"])
    }
    let found = Set(listing.bundles.map(\.id)).union(listing.broken.keys)
    for bundle in listing.bundles { mailbox.post(.installed(bundle.app, nil)) }
    let missing = (ground.supervisor.bundles.map(\.id) + ground.supervisor.departedApps).filter { !found.contains($0) }
    for app in missing where work.library.isGone(app) { mailbox.post(.uninstalled(app)) }
    for app in ground.supervisor.departedApps where listing.broken[app] != nil { work.installer.uninstall(app) }
    work.launcher.adopt { survivor in
      mailbox.post(
        .adopted(survivor.app, life: survivor.life, pid: survivor.pid, isFrozen: survivor.isFrozen))
    }
    try tidyStaging()
    devices.sensors.start { [mailbox] in mailbox.post(.started) }  // After their first report.
  }

  /// Trims staged files to their usable bytes. This precedes the first commit, which might find no space otherwise.
  private func tidyStaging() throws {
    for id in try work.transfers.stagedTransfers() {
      guard ground.supervisor.remembers(id) else {
        try? work.transfers.trim(id, to: 0)  // Frees the space at once; the rest is removed later.
        work.transfers.discard(id)
        continue
      }
      guard let bytes = ground.supervisor.usableBytes(of: id) else { continue }
      do { try work.transfers.trim(id, to: bytes) } catch {
        logger.warning("what is of no use stays in the staging area: \(error.detail)", metadata: ["transfer": "\(id)"])
      }
    }
  }

  /// Listens on the home's socket: the one that a service manager has bound and keeps over restarts of the daemon, so
  /// that callers wait meanwhile (sd_listen_fds(3)), or else one that the daemon binds.
  private func listen() throws {
    let inherited = try VarlinkListener.activated()
    let isInherited = inherited.contains { $0.address == "unix:\(ground.home.socket)" }
    guard !isInherited else { return try face.service.start(on: inherited) }
    let keeper = try SocketKeeper(ground.home, face.service, logger)
    try face.service.start(on: inherited + [keeper.listener])
    try keeper.keep(with: ground.lookout)
    socket.withLock { $0 = keeper }
  }

  /// Runs until it is asked to stop. Then it accepts no more calls, stops every transfer at its last byte, and commits
  /// what the transfers report, so that the next daemon goes on right there.
  ///
  /// - Returns: Why it stopped without being asked; nil if it was asked to.
  func live() async -> DaemonError? {
    async let failure = turn()
    for await _ in stops {}
    notice.stopping()
    mailbox.post(.stopping)
    socket.withLock { $0 = nil }  // It would bind anew what the service closes.
    face.service.stop()
    await work.transfers.shutdown()
    mailbox.finish()
    return await failure
  }

  /// Asks it to stop; from any thread.
  func stop() { stopper.finish() }

  /// Takes turns until the mailbox has ended, on a thread of its own.
  private func turn() async -> DaemonError? {
    await withCheckedContinuation { continuation in
      let queue = DispatchQueue(label: "nightjar.turns", qos: .userInitiated)
      queue.async { [self] in
        var failure: DaemonError?
        do throws(StoreError) { try turnLoop.run(ground.supervisor) } catch { failure = DaemonError(error) }
        stop()
        continuation.resume(returning: failure)
      }
    }
  }

  /// Closes the rooms. Apps that run live on; transfers go on from their last checkpoint with the next daemon.
  func close() async {
    let lookout = ground.lookout
    await withCheckedContinuation { done in lookout.perform { done.resume() } }  // After the last orders to apps.
    lookout.stop()
    devices.logs.stop()
    work.installer.finish()
    face.views.finish()
    ground.store.close()
    try? await work.threads.shutdownGracefully()
    logger.notice("nightjard has stopped; apps and transfers go on with the next one")
  }
}

extension DaemonError {
  /// The detail of any room's error.
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
