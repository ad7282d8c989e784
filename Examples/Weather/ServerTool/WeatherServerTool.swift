import ArgumentParser
import Foundation
import Logging
import WeatherServer

/// `weather-server`: runs one server until it is told to end.
@main
struct WeatherServerTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "weather-server",
    abstract: "Serves recorded weather in the JSON of api.openweathermap.org: the server half of Nightjar's example.",
    discussion: """
      Ask it for http://HOST:PORT/data/2.5/weather?q=CITY; the cities are Oslo, Lisbon and Nairobi. Prints one line, \
      "listening on HOST:PORT", once connections are taken; everything else goes to standard error. Ends with status 0 \
      on SIGTERM.
      """)

  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 takes any that is free.")
  var port = 8087

  @Option(
    help: ArgumentHelp(
      "Seconds after which the weather changes; 0 changes it with every question.", valueName: "seconds"))
  var every = 600

  @Option(help: ArgumentHelp("Refuse questions without this key, as the real service does.", valueName: "key"))
  var key: String?

  func run() async throws {
    var settings = WeatherServerSettings()
    (settings.host, settings.port, settings.period, settings.key) = (host, port, every, key)
    let logger = Logger(label: "weather") { StreamLogHandler.standardError(label: $0) }
    let server = try WeatherServer(settings, logger: logger) { Date() }
    try await server.run { [host] port in
      print("listening on \(host):\(port)")
      fflush(nil)
    }
  }
}
