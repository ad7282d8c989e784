import Foundation
import FoundationNetworking
import Patience
import ScriptedServer
import Synchronization
import Testing

@testable import Nightjar

private typealias URLSession = Nightjar.URLSession
private typealias URLSessionTask = Nightjar.URLSessionTask
private typealias URLSessionConfiguration = Nightjar.URLSessionConfiguration
private typealias URLSessionDataTask = Nightjar.URLSessionDataTask
private typealias URLSessionDataDelegate = Nightjar.URLSessionDataDelegate

/// Servers that want a password of tasks in this process.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InProcessChallengeTests {
  static let ways = [
    Guard(.basic), Guard(.digest(algorithm: "MD5")), Guard(.digest(algorithm: "SHA-256")),
    Guard(.digest(algorithm: "SHA-256-sess")), Guard(.basic, .digest(algorithm: "MD5")),
  ]
  static let right = URLCredential(user: "anna", password: "open sesame", persistence: .forSession)
  static let wrong = URLCredential(user: "anna", password: "open barley", persistence: .none)
  let film = Content(seed: 11, size: 300_000)

  private func withServer(_ post: Guard, _ body: (HTTPTestServer) async throws -> Void) async throws {
    let server = try await HTTPTestServer.start()
    server.play("/film", .guarded(post, then: .serve(Serving(film))))
    server.play("/up", .guarded(post, then: .take()))
    server.play("/away", .redirect(to: "/film"))
    let outcome = await Result { try await body(server) }
    try await server.stop()
    try outcome.get()
  }

  private func session(
    _ doorman: Doorman?, _ storage: URLCredentialStorage? = nil
  ) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCredentialStorage = storage
    return URLSession(configuration: configuration, delegate: doorman, delegateQueue: nil)
  }

  private func request(_ path: String, _ server: HTTPTestServer) -> URLRequest {
    URLRequest(url: URL(string: server.url(path))!)
  }

  @Test(arguments: ways, ["/film", "/away"])
  func `the delegate is asked, and its answer opens the door`(post: Guard, path: String) async throws {
    try await withServer(post) { server in
      let doorman = Doorman([(.useCredential, Self.right)])

      let (data, response) = try await session(doorman).data(for: request(path, server))
      let (file, _) = try await session(doorman).download(for: request(path, server))

      let method =
        post.ways == [.basic]
        ? Nightjar.NSURLAuthenticationMethodHTTPBasic : Nightjar.NSURLAuthenticationMethodHTTPDigest
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      #expect(data == Data(film.bytes))
      #expect(try Data(contentsOf: file) == Data(film.bytes))
      #expect(doorman.heard == Array(repeating: "\(method) things 127.0.0.1:\(server.port) 0 failures 401", count: 2))
      try FileManager.default.removeItem(at: file)
    }
  }

  @Test func `an upload that a redirect has made a GET of is let in without its body`() async throws {
    try await withServer(Guard(.basic)) { server in
      let doorman = Doorman([(.useCredential, Self.right)])
      var upload = request("/away", server)
      upload.httpMethod = "POST"

      let (data, _) = try await session(doorman).upload(for: upload, from: Data("a letter".utf8))

      #expect(data == Data(film.bytes))
      #expect(server.requests("/film").map(\.method) == ["GET", "GET"])
    }
  }

  @Test func `a challenge that is answered while its task is suspended leaves one request to go on with`() {
    let task = URLSession(configuration: .ephemeral).downloadTask(with: World.film)
    var record = LocalTask(task, .request, .delegate, .fresh)
    (record.parting.isBarred, record.parting.isParted) = (true, true)

    _ = record.beginAnew()

    #expect(!record.parting.isBarred && !record.parting.isParted)
  }

  @Test func `a stale nonce is renewed without asking again, though not for ever`() async throws {
    try await withServer(Guard(.digest(algorithm: "SHA-256"), usesMax: 0)) { server in
      let doorman = Doorman([(.useCredential, Self.right), (.cancelAuthenticationChallenge, nil)])

      let end = await Result { try await session(doorman).data(for: request("/film", server)) }

      #expect(throws: URLError.self) { try end.get() }
      #expect(doorman.heard.map { $0.split(separator: " ")[3] } == ["0", "1"])
      #expect(server.requests("/film").count == 1 + 4)
    }
  }

  @Test(arguments: [Guard(.basic), Guard(.digest(algorithm: "SHA-256"))])
  func `a delegate hears of the answer that it has opened, and of no refusal`(post: Guard) async throws {
    try await withServer(post) { server in
      let doorman = Doorman([(.useCredential, Self.wrong), (.useCredential, Self.right)])
      session(doorman).dataTask(with: request("/film", server)).resume()

      try await eventually("the task ends") { doorman.told.last == "done" }

      #expect(doorman.heard.map { $0.split(separator: " ")[3] } == ["0", "1"])
      #expect(doorman.told.filter { $0 != "data" } == ["200", "done"])
      #expect(doorman.data == Data(film.bytes))
    }
  }

  @Test(arguments: [Guard(.basic), Guard(.digest(algorithm: "MD5"))])
  func `an upload is sent again, whole`(post: Guard) async throws {
    try await withServer(post) { server in
      let doorman = Doorman([(.useCredential, Self.right)])
      var put = request("/up", server)
      put.httpMethod = "PUT"

      let (_, response) = try await session(doorman).upload(for: put, from: Data(film.bytes))

      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      #expect(server.requests("/up").last?.bodyDigest == film.sha256)
    }
  }

  @Test func `the refusal is the answer where nobody has another`() async throws {
    try await withServer(Guard(.digest(algorithm: "MD5"), .basic)) { server in
      let silent = Doorman([(.performDefaultHandling, nil)])
      let rejecting = Doorman([(.rejectProtectionSpace, nil), (.rejectProtectionSpace, nil)])

      let (_, unasked) = try await session(nil).data(for: request("/film", server))
      let (page, left) = try await session(silent).data(for: request("/film", server))
      let (_, rejected) = try await session(rejecting).data(for: request("/film", server))

      for response in [unasked, left, rejected] { #expect((response as? HTTPURLResponse)?.statusCode == 401) }
      #expect(String(decoding: page, as: UTF8.self) == "not you\n")
      #expect(
        rejecting.heard.map { $0.prefix { $0 != " " } }
          == [Nightjar.NSURLAuthenticationMethodHTTPDigest[...], Nightjar.NSURLAuthenticationMethodHTTPBasic[...]])
    }
  }

  @Test func `a challenge that is cancelled cancels the task`() async throws {
    try await withServer(Guard(.basic)) { server in
      let doorman = Doorman([(.cancelAuthenticationChallenge, nil)])

      let error = await #expect(throws: URLError.self) {
        try await session(doorman).data(for: request("/film", server))
      }

      #expect(error?.code == .cancelled)
      #expect(server.requests("/film").count == 1)
    }
  }

  @Test func `a credential with persistence is kept, proposed and used by default`() async throws {
    try await withServer(Guard(.digest(algorithm: "SHA-256"))) { server in
      let storage = URLCredentialStorage()
      let first = Doorman([(.useCredential, Self.right)])

      _ = try await session(first, storage).data(for: request("/film", server))
      let (_, again) = try await session(nil, storage).data(for: request("/film", server))

      #expect((again as? HTTPURLResponse)?.statusCode == 200)
      #expect(storage.allCredentials.values.flatMap(\.values).map(\.user) == ["anna"])
    }
  }

  @Test(arguments: [
    "", "Basic", "Negotiate", "Digest nonce=\"n\", qop=\"auth-int\"", "Bearer realm=\"x\"", ",,=\"", "Digest",
  ])
  func `a challenge that is none, or names no realm, ends in the refusal and not in the process's end`(
    field: String
  ) async throws {
    let server = try await HTTPTestServer.start()
    server.play("/odd", .answer(status: 401, headers: ["WWW-Authenticate": field], body: "no"))

    let outcome = await Result { try await session(Doorman([])).data(for: request("/odd", server)) }
    try await server.stop()

    let (data, response) = try outcome.get()
    #expect((response as? HTTPURLResponse)?.statusCode == 401)
    #expect(data == Data("no".utf8))
  }

  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "900150983cd24fb0d6963f7d28e17f72", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a", "f371bc4a311f2b009eef952dd83ca80e2b60026c8e935592d0f9c308453c813e"
    ),
  ])
  func `hashes are those of RFC 1321 and FIPS 180-4`(text: String, md5: String, sha256: String) {
    func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

    #expect(hex(Hashes.md5(Array(text.utf8))) == md5)
    #expect(hex(Hashes.sha256(Array(text.utf8))) == sha256)
  }

  @Test(arguments: [
    (
      [UInt8](repeating: 0x0B, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func `authentication codes are those of RFC 4231`(key: [UInt8], text: String, code: String) {
    let bytes = Hashes.hmacSHA256(Array(text.utf8), key: key)

    #expect(bytes.map { String(format: "%02x", $0) }.joined() == code)
  }

  @Test(arguments: 0..<140)
  func `hashes of every length are those of another implementation`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    #expect(Hashes.sha256(bytes).map { String(format: "%02x", $0) }.joined() == SHA256.hex(bytes))
  }
}

/// A delegate that answers challenges in turn; without an answer left it says nothing of its own.
// Unchecked: the mutex guards what changes.
private final class Doorman: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  typealias Answer = (URLSession.AuthChallengeDisposition, URLCredential?)

  private struct State {
    var answers: [Answer]
    var heard: [String] = []
    var told: [String] = []
    var data = Data()
  }

  private let state: Mutex<State>
  private let last: Answer?

  /// The last answer is given again and again.
  init(_ answers: [Answer]) {
    last = answers.last
    state = Mutex(State(answers: answers))
  }

  var heard: [String] { state.withLock { $0.heard } }
  var told: [String] { state.withLock { $0.told } }
  var data: Data { state.withLock { $0.data } }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let space = challenge.protectionSpace
    let status = (challenge.failureResponse as? HTTPURLResponse)?.statusCode ?? 0
    let answer = state.withLock { state in
      let place = "\(space.realm ?? "no realm") \(space.host):\(space.port)"
      state.heard.append("\(space.authenticationMethod) \(place) \(challenge.previousFailureCount) failures \(status)")
      return state.answers.isEmpty ? last : state.answers.removeFirst()
    }
    completionHandler(answer?.0 ?? .performDefaultHandling, answer?.1)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    state.withLock { $0.told.append("\((response as? HTTPURLResponse)?.statusCode ?? 0)") }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    state.withLock { state in
      state.told.append("data")
      state.data += data
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    state.withLock { $0.told.append(error == nil ? "done" : "failed") }
  }
}
