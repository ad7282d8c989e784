import Foundation
import FoundationNetworking
import NightjarWire
import SwiftFiveApp
import Synchronization
import TestThreads
import Testing

@testable import Nightjar

private typealias URLSession = Nightjar.URLSession
private typealias URLSessionTask = Nightjar.URLSessionTask
private typealias URLSessionDelegate = Nightjar.URLSessionDelegate
private typealias URLSessionConfiguration = Nightjar.URLSessionConfiguration
private typealias URLSessionDownloadTask = Nightjar.URLSessionDownloadTask
private typealias URLSessionDownloadDelegate = Nightjar.URLSessionDownloadDelegate

@Suite(.blocking) struct ChallengeTests {
  let world = World()

  @Test func `a password is asked of the task's method, and the answer goes back under the question's number`() async {
    let judge = Judge { _, answer in
      answer(.useCredential, URLCredential(user: "anna", password: "open sesame", persistence: .forSession))
    }
    let session = ask(judge, .password(failures: 2))

    let answer = await answer()

    #expect(judge.heard == ["task 1 NSURLAuthenticationMethodHTTPBasic things 2 failures"])
    #expect(answer?.number == 7 && answer?.asks == nil)
    #expect(
      answer?.decision
        == .init(disposition: .use, credential: .init(user: "anna", password: "open sesame", session: true)))
    #expect(session.delegate === judge)
  }

  @Test func `an app's own switch over the ways to sign in knows what it is asked`() async {
    _ = ask(SignIn(), .password())

    let answer = await answer()

    #expect(
      answer?.decision
        == .init(disposition: .use, credential: .init(user: "anna", password: "open sesame", session: true)))
  }

  @Test func `the names of ways to sign in and of proxies are FoundationNetworking's`() {
    #expect(Nightjar.NSURLAuthenticationMethodDefault == FoundationNetworking.NSURLAuthenticationMethodDefault)
    #expect(Nightjar.NSURLAuthenticationMethodHTTPBasic == FoundationNetworking.NSURLAuthenticationMethodHTTPBasic)
    #expect(Nightjar.NSURLAuthenticationMethodHTTPDigest == FoundationNetworking.NSURLAuthenticationMethodHTTPDigest)
    #expect(Nightjar.NSURLAuthenticationMethodHTMLForm == FoundationNetworking.NSURLAuthenticationMethodHTMLForm)
    #expect(Nightjar.NSURLAuthenticationMethodNTLM == FoundationNetworking.NSURLAuthenticationMethodNTLM)
    #expect(Nightjar.NSURLAuthenticationMethodNegotiate == FoundationNetworking.NSURLAuthenticationMethodNegotiate)
    #expect(Nightjar.NSURLProtectionSpaceHTTPProxy == FoundationNetworking.NSURLProtectionSpaceHTTPProxy)
    #expect(Nightjar.NSURLProtectionSpaceHTTPSProxy == FoundationNetworking.NSURLProtectionSpaceHTTPSProxy)
    #expect(Nightjar.NSURLProtectionSpaceSOCKSProxy == FoundationNetworking.NSURLProtectionSpaceSOCKSProxy)
  }

  @Test(arguments: [(false, Nightjar.NSURLProtectionSpaceHTTPProxy), (true, Nightjar.NSURLProtectionSpaceHTTPSProxy)])
  func `a proxy's challenge says whose it is, and finds the credential that is kept for it`(
    isSecure: Bool, type: String
  ) async {
    let storage = URLCredentialStorage()
    let space = URLProtectionSpace(
      proxyHost: "proxy.example", port: 3128, type: type, realm: "way out",
      authenticationMethod: Nightjar.NSURLAuthenticationMethodHTTPBasic)
    storage.setDefaultCredential(URLCredential(user: "bea", password: "it", persistence: .forSession), for: space)
    let judge = Judge { challenge, answer in
      let space = challenge.protectionSpace
      let isWhole = space.isProxy() && space.proxyType == type && space.realm == "way out" && space.protocol == nil
      answer(isWhole ? .useCredential : .cancelAuthenticationChallenge, challenge.proposedCredential)
    }
    let asked = AppInterface.ProtectionSpace(
      method: .basic, host: "proxy.example", port: 3128, secure: isSecure, realm: "way out", proxy: true)
    _ = ask(judge, .init(space: asked, previousFailures: 0)) { $0.urlCredentialStorage = storage }

    let answer = await answer()

    #expect(judge.heard == ["task 1 NSURLAuthenticationMethodHTTPBasic way out 0 failures"])
    #expect(answer?.decision.credential == .init(user: "bea", password: "it", session: true))
  }

  @Test func `an answer is taken once, however often and from wherever it comes`() async {
    let judge = Judge { _, answer in
      DispatchQueue.global().async {
        answer(.cancelAuthenticationChallenge, nil)
        answer(.performDefaultHandling, nil)
      }
    }
    let link = world.newLife()
    _ = ask(judge, .password(), of: link)
    _ = await answer()
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    #expect(world.daemon.calls.compactMap(\.answer).map(\.decision.disposition) == [.cancel])
  }

  @Test func `a question that is repeated while the app thinks is put once`() {
    let judge = Judge { _, _ in }
    let question = AppInterface.Challenge.password()
    _ = ask(judge, question)
    judge.wait(for: 1)

    world.daemon.say(.asked(.init(number: 7, session: "films", task: 1, challenge: question)))
    world.daemon.say(.asked(.init(number: 8, session: "films", task: 1, challenge: question)))
    judge.wait(for: 2)

    #expect(judge.heard.count == 2)
  }

  @Test func `a certificate is asked of the session's method, with what the server showed`() async {
    let judge = Judge { challenge, answer in
      let trust = challenge.protectionSpace.serverTrust
      var error: CFError?
      let isTrusted = trust.map { SecTrustEvaluateWithError($0, &error) }
      let shown = trust.flatMap { SecTrustCopyCertificateChain($0)?.first }.map { SecCertificateCopyData($0) }
      var result = SecTrustResultType.invalid
      let status = trust.map { SecTrustEvaluate($0, &result) }
      let isJudged = status == errSecSuccess && result == .recoverableTrustFailure
      let isPinned = shown == Data([1, 2, 3]) && isTrusted == false && isJudged && error?.code == -1202
      if isPinned, let trust {
        answer(.useCredential, URLCredential(trust: trust))
      } else {
        answer(.rejectProtectionSpace, nil)
      }
    }
    _ = ask(judge, .certificate(distrust: .init(code: "certificateUntrusted", detail: "nobody vouches for it")))

    let answer = await answer()

    #expect(judge.heard == ["session NSURLAuthenticationMethodServerTrust  0 failures"])
    #expect(answer?.decision == .init(disposition: .use, credential: .init(trust: true, session: true)))
  }

  @Test func `a delegate that does not look at certificates is asked once, and the daemon told so`() async {
    let link = world.newLife()
    _ = ask(Recorder(), .certificate(), of: link)

    let answer = await answer()
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    #expect(answer?.decision == .init(disposition: .performDefault))
    #expect(answer?.asks == .init(credentials: true, everyCertificate: false, delays: true))
    #expect(link.state.withLock { $0.sessions["films"]?.asks.everyCertificate } == false)
  }

  @Test func `a certificate is asked of the task's method where the session's is left out`() async {
    let judge = TaskJudge()
    _ = ask(judge, .certificate())

    let answer = await answer()

    #expect(answer?.decision == .init(disposition: .use, credential: .init(trust: true, session: true)))
    #expect(answer?.asks == nil)
  }

  @Test func `default handling looks into the session's credential storage`() async throws {
    let storage = URLCredentialStorage()
    let space = URLProtectionSpace(
      host: "films.example", port: 443, protocol: "https", realm: "things",
      authenticationMethod: Nightjar.NSURLAuthenticationMethodHTTPBasic)
    storage.setDefaultCredential(URLCredential(user: "bea", password: "it", persistence: .forSession), for: space)
    _ = ask(Recorder(), .password()) { $0.urlCredentialStorage = storage }

    let answer = await answer()

    #expect(answer?.decision.credential == .init(user: "bea", password: "it", session: true))
  }

  @Test func `a certificate of ours goes with its key`() async {
    let judge = Judge { _, answer in
      let identity = SecIdentity(certificateChain: "chain", privateKey: "key")
      answer(.useCredential, URLCredential(identity: identity, certificates: nil, persistence: .none))
    }
    var question = AppInterface.Challenge.certificate()
    (question.space.method, question.chain) = (.clientCertificate, nil)
    _ = ask(judge, question)

    let answer = await answer()

    #expect(answer?.decision.credential == .init(certificates: "chain", key: "key", session: false))
  }

  @Test func `a delayed task is sent as its delegate says`() async {
    let judge = Judge { _, _ in }
    judge.onDelay.withLock { $0 = (.useNewRequest, URLRequest(url: URL(string: "http://films.example/2")!)) }
    _ = ask(judge, nil)

    let answer = await answer()

    #expect(answer?.decision.disposition == .replace)
    #expect(answer?.decision.request?.url == "http://films.example/2")
  }

  @Test(
    arguments: [
      ("new", "POST", "bmV3"), (nil, "POST", ""), (nil, "GET", ""),
    ] as [(String?, String, String)])
  func `a request in place of a delayed one brings its own body, or none`(
    body: String?, method: String, sent: String
  ) async {
    let judge = Judge { _, _ in }
    var fresh = URLRequest(url: URL(string: "http://films.example/2")!)
    (fresh.httpMethod, fresh.httpBody) = (method, body.map { Data($0.utf8) })
    judge.onDelay.withLock { $0 = (.useNewRequest, fresh) }
    _ = ask(judge, nil, body: "old")

    let answer = await answer()

    #expect(answer?.decision.request?.method == method)
    #expect(answer?.decision.request?.body == sent)
  }

  @Test func `an answer that the daemon cannot use cancels its task, which would ask for ever`() async {
    let (link, judge) = (world.newLife(), Judge { _, _ in })
    judge.onDelay.withLock { $0 = (.useNewRequest, URLRequest(url: URL(string: "ftp://films.example/2")!)) }
    world.daemon.refuse(with: .invalidRequest(field: "url", reason: "only http: and https:")) { $0.answer != nil }
    let session = ask(judge, nil, of: link)

    await world.daemon.untilCalls(2) { $0.answer != nil }
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    let answers = world.daemon.calls.compactMap(\.answer)
    #expect(answers.map(\.decision.disposition) == [.replace, .cancel])
    #expect(answers.map(\.number) == [7, 7])
    #expect(link.state.withLock { $0.held.isEmpty && $0.acknowledged.contains(7) })
    withExtendedLifetime(session) {}
  }

  @Test func `a request in place of a delayed one has the cookies of its own host`() async {
    let storage = URLSessionConfiguration.ephemeral.httpCookieStorage
    for (name, host) in [("old", "films.example"), ("new", "other.example")] {
      let cookie = HTTPCookie(properties: [.name: name, .value: "1", .domain: host, .path: "/"])
      if let cookie { storage?.setCookie(cookie) }
    }
    let judge = Judge { _, _ in }
    judge.onDelay.withLock { $0 = (.useNewRequest, URLRequest(url: URL(string: "http://other.example/1")!)) }
    _ = ask(judge, nil) { $0.httpCookieStorage = storage }

    let answer = await answer()

    let headers = answer?.decision.request?.headers ?? []
    #expect(headers.filter { $0.name == "Cookie" }.map(\.value) == ["new=1"])
  }

  @Test func `a delegate that leaves delayed requests to us is asked once, and in no later life`() async {
    let (link, recorder) = (world.newLife(), Recorder())
    _ = ask(recorder, nil, of: link)
    let answer = await answer()
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }
    link.die()

    let later = world.newLife()
    _ = world.session(of: later, Recorder())

    let known = later.state.withLock { $0.sessions["films"]?.asks }
    #expect(answer?.decision == .init(disposition: .performDefault))
    #expect(answer?.asks == .init(credentials: true, everyCertificate: true, delays: false))
    #expect(known == .init(credentials: true, everyCertificate: true, delays: false))
  }

  @Test func `a task's own delegate that leaves it out says nothing about the session's`() async {
    let session = world.session(of: world.newLife(), Recorder())
    let task = session.downloadTask(with: World.film)
    task.delegate = TaskJudge()
    task.resume()
    world.daemon.waitForCalls { $0.isEnqueue }
    world.daemon.say(.asked(.init(number: 7, session: "films", task: 1, challenge: nil)))

    let answer = await answer()

    #expect(answer?.decision == .init(disposition: .performDefault) && answer?.asks == nil)
  }

  @Test func `secrets are shown nowhere`() {
    let secret = AppInterface.Credential(user: "anna", password: "open sesame")
    let call = Call.answer(.init(number: 1, decision: .init(disposition: .use, credential: secret)))
    var dumped = ""
    dump(call, to: &dumped)

    #expect(!"\(call)".contains("sesame") && !String(reflecting: call).contains("sesame") && !dumped.contains("sesame"))
  }

  /// The first answer that reaches the daemon. Waited for on a thread of its own: what a delegate leaves out runs as a
  /// task, which needs one.
  private func answer() async -> AppInterface.AnswerQuestion.Parameters? {
    let daemon = world.daemon
    return await withCheckedContinuation { done in
      Thread.detachNewThread {
        done.resume(returning: daemon.waitForCalls { $0.answer != nil }.first?.answer)
      }
    }
  }

  /// Has a task ask; without a challenge, whether to begin.
  private func ask(
    _ delegate: any URLSessionDelegate, _ challenge: AppInterface.Challenge?, of link: Link? = nil, body: String? = nil,
    _ change: (URLSessionConfiguration) -> Void = { _ in }
  ) -> URLSession {
    let session = world.session(of: link ?? world.newLife(), delegate, change)
    var request = URLRequest(url: World.film)
    request.httpBody = body.map { Data($0.utf8) }
    session.downloadTask(with: request).resume()
    world.daemon.waitForCalls { $0.isEnqueue }
    world.daemon.say(.asked(.init(number: 7, session: "films", task: 1, challenge: challenge)))
    return session
  }
}

/// A delegate that decides by a rule, and writes down what it was asked.
// Unchecked: the condition and the mutex guard what changes.
private final class Judge: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
  typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

  let onDelay = Mutex<(URLSession.DelayedRequestDisposition, URLRequest?)>((.continueLoading, nil))
  private let rule: @Sendable (URLAuthenticationChallenge, @escaping Answer) -> Void
  private let condition = NSCondition()
  private var lines: [String] = []

  init(_ rule: @escaping @Sendable (URLAuthenticationChallenge, @escaping Answer) -> Void) { self.rule = rule }

  var heard: [String] { condition.withLock { lines } }

  func wait(for count: Int) {
    let end = Date(timeIntervalSinceNow: 60)
    condition.withLock { while lines.count < count { precondition(condition.wait(until: end), "heard \(lines)") } }
  }

  private func judge(_ whose: String, _ challenge: URLAuthenticationChallenge, _ answer: @escaping Answer) {
    let space = challenge.protectionSpace
    condition.withLock {
      let words = "\(space.authenticationMethod) \(space.realm ?? "") \(challenge.previousFailureCount) failures"
      lines.append("\(whose) \(words)")
      condition.broadcast()
    }
    rule(challenge, answer)
  }

  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping Answer
  ) { judge("session", challenge, completionHandler) }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping Answer
  ) { judge("task \(task.taskIdentifier)", challenge, completionHandler) }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) {
    let (disposition, new) = onDelay.withLock { $0 }
    completionHandler(disposition, new)
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {}
}

/// A delegate that looks at challenges of tasks only, in its own time.
private final class TaskJudge: NSObject, URLSessionDownloadDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
    guard let trust = challenge.protectionSpace.serverTrust else { return (.performDefaultHandling, nil) }
    return (.useCredential, URLCredential(trust: trust))
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {}
}

extension AppInterface.Challenge {
  fileprivate static func password(failures: Int64 = 0) -> Self {
    let space = AppInterface.ProtectionSpace(
      method: .basic, host: "films.example", port: 443, secure: true, realm: "things", proxy: false)
    return Self(space: space, previousFailures: failures)
  }

  fileprivate static func certificate(distrust: FailureMessage? = nil) -> Self {
    let space = AppInterface.ProtectionSpace(
      method: .serverTrust, host: "films.example", port: 443, secure: true, proxy: false)
    return Self(space: space, previousFailures: 0, chain: [Data([1, 2, 3]).base64EncodedString()], distrust: distrust)
  }
}

extension Call {
  fileprivate var answer: AppInterface.AnswerQuestion.Parameters? {
    if case .answer(let asked) = self { asked } else { nil }
  }
}
