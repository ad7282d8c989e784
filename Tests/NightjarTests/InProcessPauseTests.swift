import Foundation
import ScriptedServer
import TestThreads
import Testing

import struct FoundationNetworking.URLRequest
import class FoundationNetworking.URLResponse

@testable import Nightjar

/// How a suspended load goes on if nothing names the version of its answer.
@Suite(.blocking, .serialized, .timeLimit(.minutes(5))) struct InProcessPauseTests: LoopbackSuite {
  @Test(arguments: [true, false])
  func `bytes of two answers that may be of two versions are not joined`(isDownload: Bool) async throws {
    try await withServer { server in
      let (old, new) = (film, Content(seed: 12, size: film.size))
      server.play(
        "/film", .serve(Serving(old).with { ($0.tag, $0.mishap, $0.mishapAfter) = (nil, .stall, 300_000) }),
        .serve(Serving(new).with { $0.tag = nil }))
      let listener = Listener()

      let heard = try await load("/film", of: server, isDownload: isDownload, pausingAt: 300_000, listener)

      #expect(server.requests("/film").map { $0.headers["range"] } == [nil, nil])
      if isDownload {
        #expect(listener.file == Data(new.bytes) && heard.last == "done")
      } else {
        #expect(heard == ["1 created", "response 200", "data", "metrics", "failed -1005"])
        #expect(listener.data == Data(old.bytes.prefix(300_000)))
      }
    }
  }

  @Test(
    arguments: [
      (0, false, [.tell, .goOn]), (60, false, [.tell, .lost]), (0, true, [.tell, .tell]),
      (60, true, [.tell, .beginAnew]),
    ] as [(Int, Bool, [LocalParting.Reading])])
  func `nor are those of another protocol, which names no version`(
    arrived: Int, hasFile: Bool, readings: [LocalParting.Reading]
  ) throws {
    let address = try #require(URL(string: "ftp://films.example/1"))
    let head = URLResponse(url: address, mimeType: nil, expectedContentLength: 100, textEncodingName: nil)
    var parting = LocalParting()

    let found = [arrived, 100].map { count in
      _ = parting.request(URLRequest(url: address))
      defer { _ = parting.take(Data(count: count)) }
      return parting.read(head, hasFile: hasFile)
    }

    #expect(found == readings)
  }
}
