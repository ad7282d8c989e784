import Foundation
import Patience
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

  /// Loads a path with a task that is suspended and resumed once so many bytes have come. Returns what its listener has
  /// heard.
  func load(
    _ path: String, of server: HTTPTestServer, isDownload: Bool, pausingAt count: Int64, _ listener: Listener
  ) async throws -> [String] {
    let (session, address) = (session(listener), url(path, server))
    let task: URLSessionTask = isDownload ? session.downloadTask(with: address) : session.dataTask(with: address)
    task.resume()
    try await eventually("bytes have come") { task.countOfBytesReceived == count }
    task.suspend()
    task.resume()
    return try await listener.whole()
  }
}

extension Result where Failure == any Error {
  /// What an asynchronous deed came to.
  init(_ deed: () async throws -> Success) async {
    do { self = .success(try await deed()) } catch { self = .failure(error) }
  }
}
