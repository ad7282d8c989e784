public import Foundation
import HTTPPreparation
import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// How a weather server is set up.
public struct WeatherServerSettings: Sendable {
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 takes any that is free.
  public var port = 0
  /// Seconds between two changes of the weather; 0 for a change with every question.
  public var period = 600
  /// The key that questions have to carry as `appid`; nil if none is asked for.
  public var key: String?
  /// Whether SIGTERM and SIGINT end the server; one inside another program leaves them alone.
  public var endsOnSignals = true

  public init() {}
}

extension WeatherServerSettings {
  fileprivate func refusal(of error: IOError) -> String {
    let reason = String(cString: strerror(error.errnoCode))
    return "port \(port) of \(host) cannot be had: \(reason); name another with --port, or 0 for any that is free"
  }
}

/// Why a weather server cannot be run.
public struct WeatherServerError: Error, CustomStringConvertible {
  /// What was wrong and what to do, for a person.
  public let description: String
}

/// A service with the JSON of api.openweathermap.org/data/2.5/weather, and with weather that was written down
/// beforehand.
public struct WeatherServer: Sendable {
  private let settings: WeatherServerSettings
  private let routes: WeatherRoutes
  private let logger: Logger

  /// - Parameter now: The time, by which the weather changes; it begins with the first that was recorded.
  /// - Throws: ``WeatherServerError`` for settings that make no sense.
  public init(_ settings: WeatherServerSettings, logger: Logger, now: @escaping @Sendable () -> Date) throws {
    guard (0...65535).contains(settings.port) else {
      throw WeatherServerError(description: "port \(settings.port) is not between 0 and 65535")
    }
    guard (0...Self.periodMax).contains(settings.period) else {
      throw WeatherServerError(
        description: "the weather cannot change every \(settings.period) s; name 0 (always) to \(Self.periodMax)")
    }
    (self.settings, self.logger) = (settings, logger)
    routes = WeatherRoutes(
      weather: try RecordedWeather(), calendar: WeatherCalendar(period: settings.period, now: now), key: settings.key)
  }

  private static let periodMax = 365 * 86400
  private static let connectionsMax = 64

  /// Serves until SIGTERM, SIGINT or the end of the task that calls it.
  ///
  /// - Parameter listening: Hears the port, once connections are taken.
  /// - Throws: ``WeatherServerError`` if the port cannot be had.
  public func run(listening: @escaping @Sendable (Int) -> Void) async throws {
    prepareForHTTP()
    let application = Application(
      router: routes.router,
      server: .http1(configuration: .init(idleTimeout: .seconds(60))),
      configuration: .init(
        address: .hostname(settings.host, port: settings.port), serverName: "Weather",
        availableConnectionsDelegate: MaximumAvailableConnections(Self.connectionsMax)),
      onServerRunning: { channel in listening(channel.localAddress?.port ?? 0) },
      logger: logger)
    var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
    configuration.gracefulShutdownSignals = settings.endsOnSignals ? [.sigterm, .sigint] : []
    configuration.maximumGracefulShutdownDuration = .seconds(5)
    do { try await ServiceGroup(configuration: configuration).run() } catch let error as IOError {
      throw WeatherServerError(description: settings.refusal(of: error))
    }
  }
}
