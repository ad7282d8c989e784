@testable import NightjarCore
import NightjarModel

/// Apps that may be refreshed.
extension Bench {
  static var refreshable: InstalledApp {
    var app = farmApp
    app.modes = ["fetch", "processing"]
    return app
  }

  static func withRefreshableApp() -> Bench {
    var bench = Bench()
    bench.send(.installed(refreshable, nil))
    return bench
  }

  static func withRefreshableAppInForeground() -> (Bench, Client) {
    var bench = withRefreshableApp()
    let client = Client(farm)
    bench.order(.launch(farm, arguments: []))
    bench.send(.app(farm, life: 1, .launched(pid: client.pid)))
    bench.attach(client)
    return (bench, client)
  }

  /// The app was used, has left the foreground, and stands still.
  static func withSuspendedApp() -> (Bench, Client) {
    var (bench, client) = withRefreshableAppInForeground()
    bench.suspend(client)
    return (bench, client)
  }

  /// A person asks for a fetch; the ticket of the call.
  @discardableResult
  mutating func fetch() -> Ticket {
    let ticket = ticket()
    send(.ordered(.fetchNow(farm, request: nil), ticket))
    return ticket
  }
}
