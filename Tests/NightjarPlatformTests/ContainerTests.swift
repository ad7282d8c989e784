import Foundation
import NightjarModel
import TestThreads
import Testing

@testable import NightjarPlatform

@Suite(.blocking) struct ContainerTests {
  private static let isWithinAnApp = ProcessInfo.processInfo.environment["NIGHTJAR_APP"] == "dev.test.App"

  /// The app of this test is this test's own program, which runs the other test below.
  @Test(.enabled(if: !isWithinAnApp)) func `Foundation's folders lie in the container`() throws {
    let test = try TestLauncher()
    let app = try test.install(
      "exec '\(Doorbell.program)' --testing-library swift-testing --filter NightjarPlatformTests.ContainerTests")

    _ = try test.launch(app)
    let ended = try test.next()

    #expect(ended.fact == .exited(status: "exited 0", isCrash: false))
    let said = TestHome.text(test.place.home.log(app.id))
    #expect(said.contains("\"what an app finds out about its folders\" passed"), "\(said)")
  }

  @Test(.enabled(if: isWithinAnApp, "runs within an app that the other test launches"))
  func `what an app finds out about its folders`() throws {
    let container = try #require(ProcessInfo.processInfo.environment["HOME"])
    let files = FileManager.default
    let kinds: [FileManager.SearchPathDirectory] = [.documentDirectory, .cachesDirectory, .applicationSupportDirectory]
    let wanted = ["/Documents", "/Library/Caches", "/Library/Application Support"]

    let found = kinds.map { files.urls(for: $0, in: .userDomainMask).first?.path }
    UserDefaults.standard.set("kept", forKey: "key")
    UserDefaults.standard.synchronize()

    #expect(found == wanted.map { container + $0 })
    #expect(NSHomeDirectory() == container && files.homeDirectoryForCurrentUser.path == container)
    #expect(files.temporaryDirectory.path == container + "/tmp" && files.currentDirectoryPath == container)
    #expect(
      try files.contentsOfDirectory(atPath: container + "/Library/Preferences").contains { $0.hasSuffix(".plist") })
  }
}
