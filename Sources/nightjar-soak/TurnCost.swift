import NightjarCore
import NightjarModel

/// What one turn costs with few transfers waiting and with many: it should be the same.
struct TurnCost {
  /// Prints the cost of a turn in microseconds with 100, 10,000 and 100,000 transfers waiting; true if the largest
  /// is at most ten times the smallest, which leaves room for caches and a busy machine.
  static func report() -> Bool {
    let counts = [100, 10_000, 100_000]
    let costs = counts.map { count in
      var waiting = TurnCost(waiting: count)
      return waiting.microseconds()
    }
    for (count, cost) in zip(counts, costs) { print("\(count) waiting: \(cost.rounded(decimals: 2)) µs a turn") }
    return costs.last! <= 10 * costs.first!
  }

  private var supervisor: Supervisor
  private var boot = Duration.seconds(1)
  private var newest: TransferOrder?

  private init(waiting count: Int) {
    supervisor = Supervisor(Memory(), at: Self.moment(boot))
    var turn = Turn()
    supervisor.handle(.started, at: Self.moment(boot), entropy: 0, into: &turn)
    for number in 1...count { handle(.ordered(.enqueue(Self.request(number)), Ticket(UInt64(number)))) }
  }

  /// One attempt makes progress, then stops and waits again while the next begins: two turns.
  private mutating func microseconds() -> Double {
    let rounds = 2_000
    let start = ContinuousClock.now
    for round in 0..<rounds {
      guard let order = newest else { preconditionFailure("nothing runs") }
      handle(.transfer(order.id, attempt: order.attempt, .progressed(count: Int64(round), expected: nil)))
      handle(.transfer(order.id, attempt: order.attempt, .stopped))
    }
    return (ContinuousClock.now - start) / .seconds(1) * 1e6 / Double(2 * rounds)
  }

  private mutating func handle(_ event: Event) {
    boot += .microseconds(100)
    var turn = Turn()
    supervisor.handle(event, at: Self.moment(boot), entropy: 7, into: &turn)
    for case .start(let order) in turn.deeds { newest = order }
  }

  private static func request(_ number: Int) -> TransferRequest {
    TransferRequest(
      key: RequestKey(high: 1, low: UInt64(number)), app: AppID("app\(number % 10)"),
      url: "https://host\(number % 20).example/\(number)")
  }

  private static func moment(_ boot: Duration) -> Moment {
    Moment(wall: Timestamp(seconds: 0), boot: boot, awake: boot, bootID: BootID("boot"))
  }
}
