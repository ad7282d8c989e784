public import NightjarCore
import NightjarModel

extension Scenario {
  /// Plays the scenario with the same supervisor that the daemon runs, and returns what happened.
  ///
  /// The same scenario and seed give the same chronicle in every process.
  public func played(seed: UInt64 = 1, limits: Limits = Limits()) -> Chronicle {
    var play = Play(self, seed: seed, limits: limits)
    return play.run()
  }
}

/// A scenario with made-up apps.
struct Play {
  /// What an app does at a planned time.
  enum Step: Sendable {
    /// It has finished its fetch, which began with a network or without.
    case finishes(app: Int, number: Int64, wasOnline: Bool)
  }

  let scenario: Scenario
  var director: Director
  var steps = Heap<Step>()
  var actors: [Actor]

  init(_ scenario: Scenario, seed: UInt64, limits: Limits) {
    self.scenario = scenario
    let director = Director(scenario, seed: seed, limits: limits)
    actors = scenario.apps.enumerated().map { Actor($1, place: $0, start: director.chronicle.start, seed: seed) }
    self.director = director
  }

  mutating func run() -> Chronicle {
    repeat {
      listen()
      while let due = nextStep, due <= director.stage.now, let (_, step) = steps.pop() {
        take(step)
        listen()
      }
    } while director.step(notAfter: nextStep ?? .max)
    return director.finished()
  }

  /// When an app does something next; nil while the machine, and so every app, sleeps.
  private var nextStep: Int64? { director.stage.isAsleep ? nil : steps.next }

  private mutating func take(_ step: Step) {
    switch step {
    case .finishes(let app, let number, let wasOnline): finish(number, of: app, wasOnline: wasOnline)
    }
  }
}
