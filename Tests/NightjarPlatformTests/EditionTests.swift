import NightjarModel
import NightjarPlatform
import Testing

@Suite struct EditionTests {
  private let app = AppID("dev.example.Farm")

  @Test func `a bundle that was installed since a removal was decided is newer, heard of or not`() {
    var editions = Editions()
    editions.installed(app)
    editions.heard(app)
    let known = editions.known(app)

    let before = editions.isNewer(app, than: known)
    editions.installed(app)
    let installed = editions.isNewer(app, than: known)
    editions.heard(app)

    #expect(!before)
    #expect(installed)
    #expect(editions.isNewer(app, than: known))
    #expect(!editions.isNewer(app, than: editions.known(app)))
  }
}
