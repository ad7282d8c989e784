import NightjarModel
import Testing

@testable import NightjarCore
@testable import NightjarDaemon

/// When what was forgotten leaves the disk.
@Suite struct FoldingTests {
  private func forgetting() -> Changes {
    var changes = Changes()
    changes.forget(
      TransferRequest(key: RequestKey(high: 7, low: 1), app: AppID("a"), url: "https://anna:pw@a.example/1"))
    return changes
  }

  @Test func `a daemon that has nothing to forget is not woken`() {
    var folding = Folding()

    folding.note(Changes(), at: .seconds(100))

    #expect(folding.due == nil)
    #expect(!folding.isDue(at: .seconds(9999)))
  }

  @Test func `credentials leave the disk a minute after the first transfer that had any, once for all`() {
    var folding = Folding()

    folding.note(forgetting(), at: .seconds(100))
    folding.note(forgetting(), at: .seconds(130))
    let isEarly = folding.isDue(at: .seconds(159))
    let isDue = folding.isDue(at: .seconds(160))
    folding.settle(true, at: .seconds(160))

    #expect(!isEarly && isDue)
    #expect(folding.due == nil)
  }

  @Test func `a disk that refuses is asked again an hour later, or with the next credentials`() {
    var folding = Folding()
    folding.note(forgetting(), at: .seconds(100))

    folding.settle(false, at: .seconds(160))
    let again = folding.due
    folding.note(forgetting(), at: .seconds(200))

    #expect(again == .seconds(160 + 3600))
    #expect(folding.due == .seconds(260))
  }
}
