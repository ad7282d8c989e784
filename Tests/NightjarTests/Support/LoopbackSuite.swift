import Foundation
import ScriptedServer

@testable import Nightjar

/// What suites about sessions in this process share: a server on the loopback interface that has a film.
protocol LoopbackSuite {}

extension LoopbackSuite {
  var film: Content { Content(seed: 11, size: 700_000) }

  func withServer(_ body: (HTTPTestServer) async throws -> Void) async throws {
    let server = try await HTTPTestServer.start()
    server.play("/film", .serve(Serving(film)))
    let outcome = await Result { try await body(server) }
    try await server.stop()
    try outcome.get()
  }

  func url(_ path: String, _ server: HTTPTestServer) -> URL { URL(string: server.url(path))! }

  func session(_ delegate: Listener, _ configuration: URLSessionConfiguration = .ephemeral) -> URLSession {
    URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue)
  }
}

extension Result where Failure == any Error {
  /// What an asynchronous deed came to.
  init(_ deed: () async throws -> Success) async {
    do { self = .success(try await deed()) } catch { self = .failure(error) }
  }
}
