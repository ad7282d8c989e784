import NightjarWire
import Testing

@testable import NightjarCommand

@Suite struct AppLifeTests {
  private func app(_ state: ControlInterface.App.State, pid: Int64?, leader: Int64? = nil) -> ControlInterface.App {
    var app = ControlInterface.App(
      id: "dev.a", name: "A", state: state, pid: pid, transfers: 0, waiting: 0, lastEnd: "exited 3", crashed: true)
    app.leader = leader
    return app
  }

  @Test(arguments: [
    ControlInterface.App.State.launching, .foreground, .background, .suspended, .attached, .ending,
  ])
  func `a life goes on while processes of the app outlive its first`(state: ControlInterface.App.State) {
    #expect(app(state, pid: 7).end(ofLife: 7) == nil)
    #expect(app(state, pid: nil).end(ofLife: 7) == nil)
  }

  @Test func `a life goes on as another process of the app once its first is gone`() {
    #expect(app(.foreground, pid: 8, leader: 7).end(ofLife: 7) == nil)
    #expect(app(.foreground, pid: nil, leader: 7).end(ofLife: 7) == nil)
    #expect(app(.foreground, pid: 8, leader: 8).end(ofLife: 7) != nil)
  }

  @Test func `a life is over when the app runs no more, or as another process`() {
    let end = AppLife.End(words: "exited 3", isCrash: true)

    #expect(app(.notRunning, pid: nil).end(ofLife: 7) == end)
    #expect(app(.background, pid: 8).end(ofLife: 7) == end)
  }
}
