public import Foundation
public import Nightjar
import NightjarSimulator

/// Days in the life of an app, in a moment: its own delegate, driven through a scenario by the supervisor that the daemon
/// runs, in virtual time, inside `swift test`.
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
/// The sentences are those of `nightjar simulate`; the app is left out, since there is one. The delegate is launched, moved
/// to the background and back, thawed and told to fetch as on a device. Virtual time stands still while its code runs: until
/// it has returned, has called its completion handlers, and has ended its background tasks.
///
/// The tasks of background `URLSession`s move, too: they ask ``server``, take the time that their bytes take, and the app is
/// woken when they have ended.
///
/// What is not simulated: the death of a process (a new life of the app gets a new delegate in the same process, and
/// whatever is global stays), standing still (a suspended app's own threads run on), and the machine's clock (`Date()` is the
/// real one; ``now`` is the simulation's). One simulation runs at a time; others wait for their turn.
@MainActor
public struct AppSimulation<Delegate: UIResponder & UIApplicationDelegate> {
  /// Whatever happens by chance follows from this number.
  public var seed: UInt64 = 1
  /// How long a simulation waits, in real time, for a completion handler, before virtual time goes on without it.
  public var patience: Duration = .seconds(10)
  /// What `UIBackgroundModes` of the app's `Info.plist` has: without `fetch` it is never refreshed, as on a device.
  public var backgroundModes: Set<String> = ["fetch", "processing"]
  /// The names that `BGTaskSchedulerPermittedIdentifiers` of the app's `Info.plist` has.
  public var permittedTasks: Set<String> = []

  /// What stands in for the servers of background sessions: called with each request when it has arrived there, its body in
  /// `httpBody`, for an upload that of the file. Without it tasks fail with `URLError.cannotConnectToHost`.
  ///
  /// It is called while the time stands still, one request after the other, and never while there is no network, but for a
  /// server that is named `localhost`.
  public var server: (@Sendable (URLRequest) async -> ServerAnswer)?
  /// How many bytes each transfer moves in a second, there and back; a tenth of a second comes to each request. At least 1.
  public var bytesPerSecond = 1_000_000

  /// A simulation of the app that this delegate makes.
  public init(of delegate: Delegate.Type) {}

  /// The time in the simulation that runs, whatever app it is of (`AppSimulation<NewsDelegate>.now`), for code that compares times; the machine's if none runs.
  public nonisolated static var now: Date { Theatre.current?.now ?? Date() }

  /// Whether there is a network in the simulation that runs, for what stands in for the app's server; true if none runs.
  public nonisolated static var isOnline: Bool { Theatre.current?.isOnline ?? true }

  /// Plays the sentences to their end, and tells what has happened.
  ///
  /// - Throws: An error whose description names the line that makes no sense and what to write instead; nothing has run then.
  ///   `CancellationError` if the task is cancelled, as by a time limit.
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
