import Logging
import NIOCore
import NIOPosix
import NightjarModel

/// What every attempt works with.
struct Tools: Sendable {
  let settings: EngineSettings
  let area: StagingArea
  let files: NIOThreadPool
  /// The lanes for files whose paths clients have named.
  let fileSystems: FileSystems
  /// Syncs files that have come whole.
  let sealer: Sealer
  /// Removes what transfers have left in the staging area.
  let remover: Convoy<Removal>
  let logger: Logger
  /// Places for downloads that are written past the page cache.
  let directPlaces: DirectPlaces
  /// The bound on all transfers together.
  let rateLimit: RateLimit?
  private let homes: [Home]
  private let dialer: Dialer

  /// An event loop and the connections that live on it.
  private struct Home {
    let loop: any EventLoop
    let pool: NIOLoopBoundBox<ConnectionPool>
  }

  init(settings: EngineSettings, area: StagingArea, group: any EventLoopGroup, logger: Logger) {
    (self.settings, self.area, self.logger) = (settings, area, logger)
    directPlaces = DirectPlaces(settings.directMax)
    rateLimit = settings.bytesPerSecondMax.map(RateLimit.init(bytesPerSecond:))
    let files = NIOThreadPool(numberOfThreads: settings.fileThreads)
    files.start()
    self.files = files
    fileSystems = FileSystems(home: area.path, list: settings.mountList)
    sealer = Sealer(on: files, settings) { Sealing.seal($0, in: area, isActive: $1) }
    remover = Convoy(on: files, threadsMax: 1) { [fileSystems] removals, isActive in
      for removal in removals {
        if isActive { removal.carryOut(in: area, fileSystems) }
        removal.then()
      }
    }
    let dialer = Dialer(settings: settings, files: files)
    self.dialer = dialer
    homes = group.makeIterator().map { loop in
      let pool = ConnectionPool(loop: loop, dialer: dialer, settings: settings, logger: logger)
      return Home(loop: loop, pool: .makeBoxSendingValue(pool, eventLoop: loop))
    }
  }

  /// The event loop on which all connections to an origin live, so that their bound holds without a lock.
  func loop(for origin: Origin) -> any EventLoop { homes[home(of: origin)].loop }

  /// The pool of an origin; to be called on its loop.
  func pool(for origin: Origin) -> ConnectionPool { homes[home(of: origin)].pool.value }

  /// Looks at what a server shows in TLS. The result comes on the origin's loop.
  func examine(_ route: Route) -> EventLoopFuture<Sighting> { dialer.examine(route, on: loop(for: route.origin)) }

  private func home(of origin: Origin) -> Int { Int(UInt(bitPattern: origin.hashValue) % UInt(homes.count)) }

  /// Closes all connections, then the threads.
  func close() async {
    for home in homes {
      try? await home.loop.submit { home.pool.value.close() }.get()
    }
    await fileSystems.close()
    try? await files.shutdownGracefully()
  }
}
