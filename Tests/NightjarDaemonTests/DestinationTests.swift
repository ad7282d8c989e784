import Foundation
import NightjarModel
import NightjarWire
import Testing

/// Where a task wants what it downloads: looked at before it is queued.
@Suite struct DestinationTests {
  private func task(_ destination: String, _ direction: WireDirection = .download, overwrite: Bool? = nil)
    -> AppInterface.NewTask
  {
    AppInterface.NewTask(
      key: String(repeating: "0", count: 32), task: 1, direction: direction, method: "GET", url: "http://localhost/",
      headers: [], file: direction == .upload ? #filePath : nil, destination: destination, overwrite: overwrite)
  }

  private func request(_ task: AppInterface.NewTask) throws -> TransferRequest {
    try task.request(app: AppID("org.example.fetch"), session: "s")
  }

  @Test(arguments: ["film", "", "/", "/tmp/", "/tmp/a\0b", "/proc/self/cwd/film", "/nowhere/film", "/etc/passwd/film"])
  func `that is no path of a file in a folder is refused`(path: String) {
    let refused = #expect(throws: AppInterface.InvalidRequest.self) { try request(task(path, overwrite: true)) }

    #expect(refused?.field == "destination")
  }

  @Test func `that is taken is refused unless it may be replaced`() throws {
    let refused = #expect(throws: AppInterface.InvalidRequest.self) { try request(task("/etc/passwd")) }

    #expect(refused?.field == "destination" && refused?.reason.contains("exists") == true)
    #expect(try request(task("/etc/passwd", overwrite: true)).destination?.overwrites == true)
    #expect(try request(task("/etc/nothing here")).destination == Destination(path: "/etc/nothing here"))
  }

  @Test func `makes no sense for an upload`() {
    let refused = #expect(throws: AppInterface.InvalidRequest.self) {
      try request(task("/tmp/film", .upload))
    }

    #expect(refused?.field == "destination")
  }
}
