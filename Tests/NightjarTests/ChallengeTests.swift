import Foundation
import FoundationNetworking
import NightjarWire
import SwiftFiveApp
import Synchronization
import TestThreads
import Testing

@testable import Nightjar

@Suite(.blocking) struct ChallengeTests {
  let world = World()

  @Test func `a password is asked of the task's method, and the answer goes back under the question's number`() async {
    let judge = Judge { _, answer in
      answer(.useCredential, URLCredential(user: "anna", password: "open sesame", persistence: .forSession))
    }
    let session = world.ask(judge, .password(failures: 2))

    let answer = await world.answer()

    #expect(judge.heard == ["task 1 NSURLAuthenticationMethodHTTPBasic things 2 failures"])
    #expect(answer?.number == 7 && answer?.asks == nil)
    #expect(
      answer?.decision
        == .init(disposition: .use, credential: .init(user: "anna", password: "open sesame", session: true)))
    #expect(session.delegate === judge)
  }

  @Test func `an app's own switch over the ways to sign in knows what it is asked`() async {
    _ = world.ask(SignIn(), .password())

    let answer = await world.answer()

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
    _ = world.ask(judge, .init(space: asked, previousFailures: 0)) { $0.urlCredentialStorage = storage }

    let answer = await world.answer()

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
    _ = world.ask(judge, .password(), of: link)
    _ = await world.answer()
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    #expect(world.daemon.calls.compactMap(\.answer).map(\.decision.disposition) == [.cancel])
  }

  @Test func `a question that is repeated while the app thinks is put once`() {
    let judge = Judge { _, _ in }
    let question = AppInterface.Challenge.password()
    _ = world.ask(judge, question)
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
    _ = world.ask(judge, .certificate(distrust: .init(code: "certificateUntrusted", detail: "nobody vouches for it")))

    let answer = await world.answer()

    #expect(judge.heard == ["session NSURLAuthenticationMethodServerTrust  0 failures"])
    #expect(answer?.decision == .init(disposition: .use, credential: .init(trust: true, session: true)))
  }

  @Test func `a delegate that does not look at certificates is asked once, and the daemon told so`() async {
    let link = world.newLife()
    _ = world.ask(Recorder(), .certificate(), of: link)

    let answer = await world.answer()
    world.daemon.waitUntil(link) { $0.calls.calls.isEmpty }

    #expect(answer?.decision == .init(disposition: .performDefault))
    #expect(answer?.asks == .init(credentials: true, everyCertificate: false, delays: true))
    #expect(link.state.withLock { $0.sessions["films"]?.asks.everyCertificate } == false)
  }

  @Test(arguments: [("certificateUntrusted", true), ("timedOut", false)])
  func `a task that fails because of a certificate has it in the error`(code: String, isShown: Bool) async throws {
    let (recorder, failure) = (Recorder(), FailureMessage(code: code, detail: "nobody vouches for it"))
    _ = world.ask(recorder, .certificate(distrust: failure))
    _ = await world.answer()

    world.daemon.end(.init(number: 8, session: "films", task: 1, count: 0, failure: failure))
    recorder.wait(for: 1)

    let error = try #require(recorder.failures.first as? URLError)
    let shown = error.failureURLPeerTrust.flatMap { SecTrustCopyCertificateChain($0)?.first }
    #expect(shown.map { SecCertificateCopyData($0) } == (isShown ? Data([1, 2, 3]) : nil))
  }

  @Test func `a certificate is asked of the task's method where the session's is left out`() async {
    let judge = TaskJudge()
    _ = world.ask(judge, .certificate())

    let answer = await world.answer()

    #expect(answer?.decision == .init(disposition: .use, credential: .init(trust: true, session: true)))
    #expect(answer?.asks == nil)
  }

  @Test func `default handling looks into the session's credential storage`() async throws {
    let storage = URLCredentialStorage()
    let space = URLProtectionSpace(
      host: "films.example", port: 443, protocol: "https", realm: "things",
      authenticationMethod: Nightjar.NSURLAuthenticationMethodHTTPBasic)
    storage.setDefaultCredential(URLCredential(user: "bea", password: "it", persistence: .forSession), for: space)
    _ = world.ask(Recorder(), .password()) { $0.urlCredentialStorage = storage }

    let answer = await world.answer()

    #expect(answer?.decision.credential == .init(user: "bea", password: "it", session: true))
  }

  @Test func `a certificate of ours goes with its key`() async {
    let judge = Judge { _, answer in
      let identity = SecIdentity(certificateChain: "chain", privateKey: "key")
      answer(.useCredential, URLCredential(identity: identity, certificates: nil, persistence: .none))
    }
    var question = AppInterface.Challenge.certificate()
    (question.space.method, question.chain) = (.clientCertificate, nil)
    _ = world.ask(judge, question)

    let answer = await world.answer()

    #expect(answer?.decision.credential == .init(certificates: "chain", key: "key", session: false))
  }

  @Test func `secrets are shown nowhere`() {
    let secret = AppInterface.Credential(user: "anna", password: "open sesame")
    let call = Call.answer(.init(number: 1, decision: .init(disposition: .use, credential: secret)))
    var dumped = ""
    dump(call, to: &dumped)

    #expect(!"\(call)".contains("sesame") && !String(reflecting: call).contains("sesame") && !dumped.contains("sesame"))
  }
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
