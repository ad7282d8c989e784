import Foundation
import NightjarCore
import NightjarModel
import NightjarWire
import Varlink

extension Question {
  /// What is asked for, to go after "It asks its app".
  var words: String {
    switch self {
    case .delayedBegin: return "whether to begin with the same request"
    case .challenge(let challenge):
      let (space, host) = (challenge.space, "\(challenge.space.host):\(challenge.space.port)")
      let place = space.isProxy ? "the proxy \(host)" : host
      let realm = space.realm.map { " (\($0))" } ?? ""
      let again = challenge.previousFailures > 0 ? " again, since the last one was refused" : ""
      switch space.method {
      case .basic, .digest: return "for a name and password for \(place)\(realm)\(again)"
      case .serverTrust where challenge.distrust == nil: return "whether to trust the certificate of \(place)"
      case .serverTrust: return "whether to trust the certificate of \(place), which the system does not"
      case .clientCertificate: return "for a certificate to show to \(place)"
      }
    }
  }
}

extension Message.Asked {
  /// The question as its app sees it.
  var message: AppInterface.Asked {
    var message = AppInterface.Asked(number: number, session: session, task: Int64(task))
    if case .challenge(let challenge) = question { message.challenge = challenge.message }
    return message
  }
}

extension Challenge {
  fileprivate var message: AppInterface.Challenge {
    AppInterface.Challenge(
      space: space.message, previousFailures: Int64(previousFailures),
      response: response.map { AppInterface.Response($0) },
      chain: chain.isEmpty ? nil : chain.map { Data($0).base64EncodedString() },
      distrust: distrust.map { FailureMessage($0) })
  }
}

extension ProtectionSpace {
  fileprivate var message: AppInterface.ProtectionSpace {
    AppInterface.ProtectionSpace(
      method: AppInterface.ProtectionSpace.Method(rawValue: method.rawValue)!, host: host, port: Int64(port),
      secure: isSecure, realm: realm, proxy: isProxy)
  }
}

extension AppInterface.Response {
  /// An answer as an app sees it.
  init(_ response: Response) {
    self.init(
      url: response.url, status: Int64(response.status),
      headers: response.headers.map { WireHeader(name: $0.name, value: $0.value) })
  }
}

extension Asks {
  init(_ asks: AppInterface.Asks) {
    self.init(
      credentials: asks.credentials ?? false, everyCertificate: asks.everyCertificate ?? false,
      delays: asks.delays ?? false)
  }
}

extension AppInterface.Decision {
  /// What was decided, in the words of the core.
  func decision() throws(VarlinkError) -> Decision {
    switch disposition {
    case .performDefault: return .performDefault
    case .rejectSpace: return .reject
    case .cancel: return .cancel
    case .use:
      guard let credential else { throw refusal("credential", "'use' says what to use") }
      return .use(try credential.credential(), isRemembered: credential.session ?? false)
    case .replace:
      guard let request else { throw refusal("request", "'replace' says what to send instead") }
      let headers = request.headers.map { HTTPField($0.name, $0.value) }
      return .replace(RequestLine(method: request.method, url: request.url, headers: headers))
    }
  }
}

extension AppInterface.Credential {
  fileprivate func credential() throws(VarlinkError) -> Credential {
    if let user { return .password(user: user, password: password ?? "") }
    if let certificates, let key { return .identity(chain: certificates, key: key) }
    if trust == true { return .trust }
    throw refusal("credential", "it names neither a user, nor trust, nor certificates and their key")
  }
}

private func refusal(_ field: String, _ reason: String) -> VarlinkError {
  AppInterface.InvalidRequest(field: "decision.\(field)", reason: reason).varlink
}
