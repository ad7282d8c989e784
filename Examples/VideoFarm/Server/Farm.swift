import Glibc
import HTTPPreparation
import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// A server of videos: lists them, takes movies in and gives them out.
///
/// Everything lies under one folder, and what a request was told is stored outlives a power cut. One farm at a time
/// uses a folder.
public struct Farm: Sendable {
  private let settings: FarmSettings
  private let store: VideoStore
  private let logger: Logger

  /// Opens the farm: removes what a crash has left behind, and makes the seeded videos that are missing.
  ///
  /// - Parameter tell: Hears what happens, from any thread and in the order of each video's events.
  /// - Throws: `FarmError`. The folder may have been made by then; nothing that was stored is lost.
  public init(
    _ settings: FarmSettings, logger: Logger, tell: @escaping @Sendable (FarmEvent) -> Void
  ) async throws(FarmError) {
    try settings.check()
    self.settings = settings
    self.logger = logger
    do {
      store = try await VideoStore(folder: settings.data, tell: tell)
      for number in 0..<settings.seeds { try await store.seed(number + 1, size: settings.seedSize) }
    } catch {
      throw FarmError(code: .storage, detail: "cannot use the folder \(settings.data): \(error)")
    }
  }

  /// Serves until SIGTERM, SIGINT or the end of the task that calls it.
  ///
  /// Answers that are under way get five seconds to end. The folder is another farm's to use once this has returned; a
  /// farm runs once.
  ///
  /// - Parameter listening: Hears the port, once connections are taken.
  /// - Throws: `FarmError` if the port cannot be had.
  public func run(listening: @escaping @Sendable (Int) -> Void) async throws {
    prepareForHTTP()
    let application = Application(
      router: FarmRoutes(store: store, desk: UploadDesk(store: store), rate: settings.rate).router,
      server: .http1(configuration: .init(additionalChannelHandlers: handlers, idleTimeout: .seconds(120))),
      configuration: .init(
        address: .hostname(settings.host, port: settings.port), serverName: "VideoFarm",
        availableConnectionsDelegate: MaximumAvailableConnections(FarmLimits.connectionsMax)),
      onServerRunning: { channel in listening(channel.localAddress?.port ?? 0) },
      logger: logger)
    var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
    configuration.gracefulShutdownSignals = settings.endsOnSignals ? [.sigterm, .sigint] : []
    configuration.maximumGracefulShutdownDuration = FarmLimits.shutdownGrace
    defer { store.close(logger) }
    do { try await ServiceGroup(configuration: configuration).run() } catch let error as IOError {
      throw FarmError(code: .port, detail: settings.refusal(of: error))
    }
  }

  private var handlers: [any RemovableChannelHandler] {
    (settings.rate == nil ? [] : [ReceiveBufferLimit()]) + [UploadHerald()]
  }
}

extension FarmSettings {
  /// Refuses settings that make no sense, before anything is touched.
  func check() throws(FarmError) {
    let complaint: String? =
      if !(0...65535).contains(port) {
        "port \(port) is not between 0 and 65535"
      } else if rate.map({ $0 < 1 }) ?? false {
        "a rate of \(rate ?? 0) bytes a second moves nothing; 1 is the least"
      } else if !(0...FarmLimits.videosMax).contains(seeds) {
        "\(seeds) seeded videos are not between 0 and \(FarmLimits.videosMax)"
      } else if !(0...FarmLimits.movieSizeMax).contains(seedSize) {
        "\(seedSize) bytes of a seeded movie are not between 0 and \(FarmLimits.movieSizeMax)"
      } else {
        nil
      }
    if let complaint { throw FarmError(code: .settings, detail: complaint) }
  }

  fileprivate func refusal(of error: IOError) -> String {
    let reason = String(cString: strerror(error.errnoCode))
    return "port \(port) of \(host) cannot be had: \(reason); name another with --port, or 0 for any that is free"
  }
}

/// Keeps the kernel from taking in a throttled upload all at once, so that the sender's progress is the true one.
private final class ReceiveBufferLimit: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  func handlerAdded(context: ChannelHandlerContext) {
    let option = ChannelOptions.Types.SocketOption(level: .socket, name: .so_rcvbuf)
    context.channel.setOption(option, value: SocketOptionValue(FarmLimits.throttledReceiveBuffer))
      .whenFailure { _ in }  // The upload is then merely taken in sooner.
  }
}
