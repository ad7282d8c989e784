import Foundation
import NightjarWire
import ScriptedServer
import Testing

import class FoundationNetworking.HTTPURLResponse

@testable import Nightjar

/// What an answer says that its file is called.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SuggestedFilenameTests: LoopbackSuite {
  @Test(
    arguments: [
      ("/films/1.mp4", "1.mp4"), ("/films/", "films"), ("/a%20film%3F.mp4", "a film?.mp4"),
      ("/up%2F..%2Fetc", "up_.._etc"),
      ("/%2E%2E", "films.example"), ("/..", "films.example"), ("/.", "films.example"), ("/", "films.example"),
      ("", "films.example"),
      ("/1.mp4?name=/2", "1.mp4"), ("/nul%00", "nul_"),
    ])
  func `a file is called as the URL's last component or its host, as one name`(path: String, name: String) throws {
    let wire = AppInterface.Response(url: "http://films.example\(path)", status: 200, headers: [])

    let response = try #require(NamedResponse(wire))

    #expect(response.suggestedFilename == name)
  }

  @Test(arguments: ["http://../", "file:///"])
  func `no file is called as a folder is that holds others`(url: String) throws {
    let response = try #require(NamedResponse(AppInterface.Response(url: url, status: 200, headers: [])))

    #expect(response.suggestedFilename == "Unknown")
  }

  @Test func `the server's own word goes before the URL`() {
    let header = WireHeader(name: "content-disposition", value: "attachment; filename=\"film.mp4\"")

    let response = NamedResponse(.init(url: "http://films.example/1", status: 200, headers: [header]))

    #expect(response?.suggestedFilename == "film.mp4")
  }

  @Test func `an answer keeps its name in copies and archives`() throws {
    let response = try #require(NamedResponse(World.response))

    let data = try NSKeyedArchiver.archivedData(withRootObject: response, requiringSecureCoding: true)
    let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: HTTPURLResponse.self, from: data)

    #expect((response.copy() as? HTTPURLResponse)?.suggestedFilename == "1")
    #expect(back?.suggestedFilename == "1" && back?.isEqual(response) == true)
  }

  @Test func `downloads of a background session have different names`() throws {
    let (world, delegate) = (World(), Recorder())
    let task = world.session(of: world.newLife(), delegate).downloadTask(with: World.film)
    task.resume()

    world.daemon.end(try world.end(1, task: 1, text: "film"))
    delegate.wait(for: 3)

    #expect(task.response?.suggestedFilename == "1")
  }

  @Test func `answers of a session in this process have names, and what else they had`() async throws {
    try await withServer { server in
      let fields = ["Content-Type": "text/plain; charset=utf-8", "x-kept": "yes"]
      server.play("/notes/today.txt", .answer(status: 200, headers: fields, body: "rain"))
      server.play("/away", .redirect(to: "/film"))
      let session = URLSession(configuration: .ephemeral)

      let (_, response) = try await session.data(from: url("/notes/today.txt", server))
      let (file, moved) = try await session.download(from: url("/away", server))
      let (_, bytes) = try await session.bytes(from: url("/notes/today.txt", server))

      let answer = try #require(response as? HTTPURLResponse)
      #expect(answer.suggestedFilename == "today.txt" && answer.statusCode == 200 && answer.expectedContentLength == 4)
      #expect(answer.mimeType == "text/plain" && answer.textEncodingName == "utf-8")
      #expect(answer.value(forHTTPHeaderField: "X-Kept") == "yes")
      #expect(moved.suggestedFilename == "film" && bytes.suggestedFilename == "today.txt")
      try FileManager.default.removeItem(at: file)
    }
  }
}
