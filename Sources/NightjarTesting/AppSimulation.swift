public import Foundation
public import Nightjar
import NightjarSimulator

/// Runs an app through days of virtual time within moments, inside `swift test`: the daemon's own supervisor drives the
/// app's delegate through a scenario.
///
///     @Test @MainActor func `the news are there before breakfast`() async throws {
///       let history = try await AppSimulation(of: NewsDelegate.self).run(
///         """
///         days 7
///         opens at 09:00 on weekdays
///         network lost on Tuesday
///         fetch now on day 3 at 08:30
///         """)
///
///       #expect(history.fetches(onDay: 3).first?.result == .newData)
///     }
///
/// The sentences are those of `nightjar simulate`, without the name of the app, since there is only one. The delegate
/// is launched, moved to the background and back, thawed and told to fetch as on a device. Virtual time stands still
/// while its code runs: until it has returned, called its completion handlers, and ended its background tasks.
///
/// The tasks of background `URLSession`s are simulated, too: they call ``server``, take the time that their bytes need,
/// and wake the app when they have ended.
///
/// What is not simulated: the death of a process (a new life of the app gets a new delegate in the same process, and
/// global state stays), suspension (a suspended app's own threads run on), and the machine's clock (`Date()` is the
/// real time; ``now`` is the simulation's). One simulation runs at a time; others wait for their turn.
@MainActor
public struct AppSimulation<Delegate: UIResponder & UIApplicationDelegate> {
  /// The seed of everything that happens by chance.
  public var seed: UInt64 = 1
  /// How long a simulation waits, in real time, for a completion handler, before virtual time goes on without it.
  public var patience: Duration = .seconds(10)
  /// The `UIBackgroundModes` of the app's `Info.plist`. Without `fetch` the app never fetches, as on a device.
  public var backgroundModes: Set<String> = ["fetch", "processing"]
  /// The `BGTaskSchedulerPermittedIdentifiers` of the app's `Info.plist`.
  public var permittedTasks: Set<String> = []

  /// Stands in for the servers of background sessions: called with each request when it arrives, with the body, or the
  /// file of an upload, in `httpBody`. Without it tasks fail with `URLError.cannotConnectToHost`.
  ///
  /// It is called for one request after the other, while virtual time stands still. Without a network only a server
  /// on this machine is called (`localhost`, `127.0.0.1`, `[::1]`).
  public var server: (@Sendable (URLRequest) async -> ServerAnswer)?
  /// How many bytes each transfer moves per second, in each direction; each request takes another tenth of a second. At
  /// least 1.
  public var bytesPerSecond = 1_000_000

  /// Creates a simulation of the app with this delegate.
  public init(of delegate: Delegate.Type) {}

  /// The time in the running simulation, of whatever app (`AppSimulation<NewsDelegate>.now`), for code that compares
  /// times; the machine's time if none runs.
  public nonisolated static var now: Date { Theatre.current?.now ?? Date() }

  /// Whether the running simulation has a network, for code that stands in for the app's server; true if none runs.
  public nonisolated static var isOnline: Bool { Theatre.current?.isOnline ?? true }

  /// Runs the scenario to its end, and returns what has happened.
  ///
  /// - Throws: An error whose description names the line that cannot be read and what to write instead; nothing has run
  ///   then. `CancellationError` if the task is cancelled, as by a time limit.
  public func run(_ sentences: String) async throws -> AppHistory {
    let scenario = try Scenario(sentences, of: AppHistory.appName)
    await Turnstile.shared.enter()
    defer { Turnstile.shared.leave() }
    let theatre = Theatre(
      scenario, seed: seed, modes: backgroundModes, bytesPerSecond: server == nil ? nil : Int64(bytesPerSecond))
    Theatre.stand(theatre)
    defer { Theatre.stand(nil) }
    let performance = Performance(theatre, patience: patience, permittedTasks: permittedTasks, server: server) {
      Delegate()
    }
    return try await performance.run()
  }
}

/// Lets one simulation in at a time: an app is a process, and has one `UIApplication`.
@MainActor
private final class Turnstile {
  static let shared = Turnstile()
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func enter() async {
    guard isTaken else { return isTaken = true }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
