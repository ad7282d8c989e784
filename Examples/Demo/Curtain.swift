import Glibc
import NightjarClient
import NightjarWire

/// Ends whatever the demo has started, by process id, in the order in which nothing starts anew.
@MainActor
struct Curtain {
  let play: Play

  private static let patience = Duration.seconds(15)

  func fall() async {
    await endApps()
    play.daemon?.end(within: Self.patience)
    let rest = ForeignProcess.running(below: play.grounds.folder)
    for process in rest { process.send(SIGKILL) }
    await wait { rest.allSatisfy(\.hasEnded) }
    play.farm?.end(within: Self.patience)
  }

  /// Has the daemon end its apps, as long as there is one: it tidies up after them.
  private func endApps() async {
    guard let daemon = play.daemon, !daemon.hasEnded,
      let connection = try? DaemonConnection(to: play.grounds.socket)
    else { return }
    let apps = ForeignProcess.running(below: play.grounds.folder)
    guard !apps.isEmpty else { return }
    _ = try? await connection.call(ControlInterface.Terminate.self, .init(app: Grounds.app))
    await wait { apps.allSatisfy(\.hasEnded) }
  }

  private func wait(until holds: () -> Bool) async {
    let deadline = ContinuousClock.now + Self.patience
    while !holds(), ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(10)) }
  }
}
