import Foundation
import Testing
import VideoFarmKit

@Suite(.timeLimit(.minutes(2)))
struct FarmCatalogueTests {
  @Test func `the app prepares a video at the farm and finds it in its list`() async throws {
    try await withFarm { farm in
      let catalogue = FarmCatalogue(server: URL(string: "http://127.0.0.1:\(farm.port)")!)

      let prepared = try await catalogue.prepare(title: "Summer")
      let list = try await catalogue.list()

      #expect(prepared.title == "Summer")
      #expect(prepared.state == .prepared)
      #expect(prepared.links.movie == "/videos/\(prepared.id)/movie")
      #expect(list == [prepared])
    }
  }

  @Test func `a refusal reaches the app with the server's sentence`() async throws {
    try await withFarm { farm in
      let catalogue = FarmCatalogue(server: URL(string: "http://127.0.0.1:\(farm.port)")!)

      let error = await #expect(throws: CatalogueError.self) { try await catalogue.prepare(title: "  ") }

      #expect(error?.detail.contains("The title is empty") == true)
    }
  }
}
