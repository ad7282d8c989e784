import NightjarModel
import NightjarPlatform
import Testing

@Suite struct SnapshotTests {
  private let place: TestHome
  private let snapshots: Snapshots
  private let app = AppID("dev.test.App")

  init() throws {
    place = try TestHome()
    snapshots = Snapshots(home: place.home, bytesMax: 99)
  }

  @Test func `a snapshot is kept in its app's container, also where the folder of caches is gone`() throws {
    let container = place.home.container(app)
    try container.prepare()
    TestHome.remove(container.caches)

    try snapshots.keep("<p>early", of: app)
    try snapshots.keep("<p>late", of: app)

    #expect(snapshots.read(app) == "<p>late")
  }

  @Test func `a snapshot that comes late does not bring the container back of an app that was removed`() throws {
    try snapshots.keep("<p>late", of: app)

    #expect(snapshots.read(app) == nil)
    #expect(TestHome.names(place.home.containers) == [])
  }
}
