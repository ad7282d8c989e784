import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `The interval between two fetches of an app` {
  /// A clock that is set while the machine runs shortens no interval.
  @Test(arguments: [false, true])
  func `goes on while the machine is off, and is told so`(isOff: Bool) {
    var (bench, client) = Bench.withSuspendedApp()
    bench.ask(.setFetchInterval(.hours(24)), as: client)
    bench.fetch()
    bench.ask(.finishFetch(1, .newData), as: client)
    bench.stand()
    let begin = bench.wall.seconds
    bench.passWithWall(.hours(8))

    bench.wall = Timestamp(seconds: bench.wall.seconds + 36_000)
    if isOff { bench.restart(boot: BootID("second")) } else { bench.send(.awoke) }
    let told = bench.order(.listFetches(farm))?.fetches?.apps.first?.obstacles.first
    bench.passWithWall(.hours(isOff ? 6 : 16))
    let free = bench.order(.listFetches(farm))?.fetches?.apps.first?.obstacles.first

    #expect(told?.code == .belowMinimumInterval)
    #expect(told?.until?.seconds == begin + 86_400 + (isOff ? 0 : 36_000))
    #expect(free?.code != .belowMinimumInterval)
  }
}
