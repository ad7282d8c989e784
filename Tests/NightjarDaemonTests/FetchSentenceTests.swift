import NightjarModel
import NightjarWire
import Testing

@testable import NightjarCore
@testable import NightjarDaemon

/// What people are told of fetches.
@Suite struct FetchSentenceTests {
  private static let reason = "since its content was 3 d 1 h old, and no app is neglected for long"

  @Test func `a fetch that is made only since content is old says so, and one that is worth it does not`() {
    let (worth, old, joined) = (Self.decision(.fetch, 0.5), Self.decision(.fetch, 0.25), Self.decision(.joins, 0.125))

    let weighed = "worth 0.25 where 0.5 is called for"
    #expect(worth.sentence == "is refreshed: worth 0.5 where 0.5 is called for")
    #expect(old.sentence == "is refreshed, \(Self.reason): \(weighed)")
    #expect(joined.sentence.hasPrefix("is refreshed along with others, \(Self.reason): worth 0.125"))
    #expect([worth, old, joined].map(\.message.neglected) == [nil, true, true])
  }

  @Test func `why an app was refreshed for neglect, and that it will be, is told`() {
    let entry = Self.entry(isUnderWay: false)

    #expect(entry.sentences.dropFirst().first == "It was made \(Self.reason).")
    let soon = " Its content is so old that it joins the next window all the same."
    #expect(entry.sentences.last?.hasSuffix(soon) == true)
    #expect(entry.message.blockers.map { $0.sentence.hasSuffix(soon) } == [true])
    #expect((entry.message.neglected, entry.message.lastNeglected) == (true, true))
  }

  @Test func `a fetch that is under way is not given the outcome of the one before`() {
    #expect(!Self.entry(isUnderWay: true).sentences.contains { $0.contains("newData") })
    #expect(Self.entry(isUnderWay: false).sentences.contains { $0.contains("newData") })
  }

  /// An app whose content was old, with a fetch that has ended.
  private static func entry(isUnderWay: Bool) -> FetchesView.Entry {
    let app = AppID("dev.example.Farm")
    var record = FetchRecord(app: app)
    (record.lastBegin, record.lastOutcome) = (Timestamp(seconds: 1_800_000_000), .newData)
    let path = "/apps/Farm.app"
    let installed = InstalledApp(id: app, displayName: "Farm", kind: .bundle(path: path, executable: path + "/Farm"))
    return FetchesView.Entry(
      installed: installed, record: record, isAllowed: true, isUnderWay: isUnderWay, latest: decision(.fetch, 0.25),
      isNeglected: true, obstacles: [FetchObstacle(.belowThreshold)], requests: [])
  }

  private static func decision(_ verdict: FetchDecision.Verdict, _ score: Double) -> FetchDecision {
    let weight = FetchWeight(
      score: score, threshold: 0.5, probability: 0.1, age: .hours(73), updatesPerHour: 1, value: 1)
    let at = Timestamp(seconds: 1_800_000_000)
    return FetchDecision(number: 1, app: AppID("dev.example.Farm"), at: at, verdict: verdict, weight: weight)
  }
}
