import Foundation
import VideoFarmKit

/// The app behind its delegate: one API client, and what a person asks of it.
struct VideoFarm: Sendable {
  let client: APIClient

  /// Opens what the app remembers, and the session whose news may be waiting. Nil, with the reason said, if it cannot.
  static func open() -> VideoFarm? {
    do {
      let documents = try FileManager.default.url(
        for: .documentDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
      let client = APIClient(shelf: try Shelf(folder: documents))
      client.open()
      return VideoFarm(client: client)
    } catch {
      Console.say("broke problem=\(error)")
      return nil
    }
  }

  /// Begins what a person asked for, after what an earlier life left undone. Without orders it only listens.
  func carryOut(_ orders: Orders) {
    for word in orders.unknown { Console.say("unknown-order \(word)") }
    Task {
      do {
        if let server = orders.server { try client.use(server: server) }
        try await client.continueUploads()
        try await client.continuePauses()
        for id in client.shelf.library.strangers(among: orders.pauses + orders.resumes) {
          Console.say("unknown-video \(id)")
        }
        for movies in orders.pauses { Console.say("downloads-paused count=\(try await client.pause(movies))") }
        for movies in orders.resumes { Console.say("transfers-resumed count=\(try await client.goOn(movies))") }
        if orders.downloadAll { Console.say("downloads-begun count=\(try await client.downloadAll())") }
        for upload in orders.uploads { try await client.upload(URL(filePath: upload.path), title: upload.title) }
        Console.say("orders done")
      } catch {
        Console.say("orders failed problem=\(error)")
      }
    }
  }
}
