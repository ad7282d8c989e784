// The one file that uses FoundationNetworking's own URLSession: short questions, asked and answered while the app runs.
// It does not import Nightjar, whose URLSession is for what outlives the app.

public import Foundation
import FoundationNetworking

/// What the server can be asked at once: which videos there are, and where a new one goes.
public struct FarmCatalogue: Sendable {
  /// The server's address.
  public let server: URL

  /// A catalogue of the server at `server`.
  public init(server: URL) { self.server = server }

  /// Every video, the oldest first.
  public func list() async throws -> [FarmVideo] {
    struct List: Decodable {
      let videos: [FarmVideo]
    }
    let (data, _) = try await ask(URLRequest(url: server.appending(path: "videos")), expecting: 200)
    return try JSONDecoder().decode(List.self, from: data).videos
  }

  /// Announces a video: a POST, whose 303 See Other names the page of the new video.
  public func prepare(title: String) async throws -> FarmVideo {
    var request = URLRequest(url: server.appending(path: "videos"))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(["title": title])
    let (_, answer) = try await ask(request, expecting: 303)
    guard let page = answer.value(forHTTPHeaderField: "Location").flatMap({ URL(string: $0, relativeTo: server) })
    else {
      throw CatalogueError(code: .answer, detail: "the server's 303 names no Location")
    }
    return try JSONDecoder().decode(FarmVideo.self, from: try await ask(URLRequest(url: page), expecting: 200).0)
  }

  private func ask(_ request: URLRequest, expecting status: Int) async throws -> (Data, HTTPURLResponse) {
    let session = URLSession(configuration: .ephemeral, delegate: RedirectionStop(), delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let (data, response) = try await session.data(for: request)
    guard let answer = response as? HTTPURLResponse, answer.statusCode == status else {
      throw CatalogueError(code: .answer, detail: Self.complaint(data, response, expecting: status))
    }
    return (data, answer)
  }

  private static func complaint(_ data: Data, _ response: URLResponse, expecting status: Int) -> String {
    let code = (response as? HTTPURLResponse)?.statusCode ?? 0
    return
      "the server answered \(code) where \(status) was expected: \(String(decoding: data.prefix(500), as: UTF8.self))"
  }
}

/// Why the server's answer is of no use.
public struct CatalogueError: Error, CustomStringConvertible {
  /// What a program can act on.
  public enum Code: Sendable {
    case answer  // The server refused, or is no VideoFarm.
    case noServer  // No server has been named yet, or its address is none.
  }

  /// What a program can act on.
  public let code: Code
  /// What was wrong, for a person.
  public let detail: String
  /// The detail.
  public var description: String { detail }
}

/// Follows no redirection, so that the client sees the 303 itself.
private final class RedirectionStop: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(nil) }
}
