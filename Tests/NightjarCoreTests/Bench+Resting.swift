@testable import NightjarCore
import NightjarModel

/// Apps that do not run, or stand still.
extension Bench {
  /// The app is installed, has run once, and does not run.
  static func withApp() -> Bench {
    var (bench, client) = withRunningApp()
    bench.send(.detached(client.connection))
    bench.send(.app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    return bench
  }

  /// The app leaves the foreground and stands still.
  mutating func suspend(_ client: Client) {
    order(.leave)
    rest(client)
  }

  /// The app confirms that it is in the background, and stands still once it is told to.
  mutating func rest(_ client: Client = Client(farm)) {
    for case .enterBackground(let number, _) in deeds.messages { ask(.entered(number), as: client) }
    stand()
  }

  /// Whoever is told to stand still does.
  mutating func stand() {
    for case .suspend(let app, let life, let stint) in deeds {
      send(.app(app, life: life, .suspended(stint: stint, true)))
    }
  }
}
