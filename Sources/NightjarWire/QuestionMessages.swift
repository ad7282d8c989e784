import FoundationEssentials
package import NightjarModel

// Translates the questions of tasks and their answers between the protocol's types and the core's, for the daemon and
// NightjarTesting.

extension AppInterface.Asked {
  /// The question of a task as its app sees it.
  init(_ asked: Message.Asked) {
    self.init(number: asked.number, session: asked.session, task: Int64(asked.task))
    switch asked.question {
    case .challenge(let challenge): self.challenge = challenge.message
    case .answer(let response): self.response = AppInterface.Response(response)
    case .delayedBegin: break
    }
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

extension Asks {
  /// The questions that a session wants to be asked.
  package init(_ asks: AppInterface.Asks) {
    self.init(
      credentials: asks.credentials ?? false, everyCertificate: asks.everyCertificate ?? false,
      delays: asks.delays ?? false)
  }
}

extension AppInterface.Decision {
  /// The decision as the core's type.
  ///
  /// - Throws: `InvalidRequest`, naming the field.
  package func decision() throws(AppInterface.InvalidRequest) -> Decision {
    switch disposition {
    case .performDefault: return .performDefault
    case .rejectSpace: return .reject
    case .cancel: return .cancel
    case .use:
      guard let credential else { throw refusal("credential", "'use' says what to use") }
      return .use(try credential.credential(), isRemembered: credential.session ?? false)
    case .replace:
      guard let request else { throw refusal("request", "'replace' says what to send instead") }
      return .replace(try request.line())
    }
  }
}

extension AppInterface.NewRequest {
  fileprivate func line() throws(AppInterface.InvalidRequest) -> RequestLine {
    var line = RequestLine(
      method: method, url: url, headers: headers.map { HTTPField($0.name, $0.value) },
      sessionFields: sessionFields ?? [])
    guard let body else { return line }
    guard let data = Data(base64Encoded: body) else { throw refusal("request.body", "not base64") }
    line.body = Array(data)
    return line
  }
}

extension AppInterface.Credential {
  fileprivate func credential() throws(AppInterface.InvalidRequest) -> Credential {
    if let user { return .password(user: user, password: password ?? "") }
    if let certificates, let key { return .identity(chain: certificates, key: key) }
    if trust == true { return .trust }
    throw refusal("credential", "it names neither a user, nor trust, nor certificates and their key")
  }
}

private func refusal(_ field: String, _ reason: String) -> AppInterface.InvalidRequest {
  AppInterface.InvalidRequest(field: "decision.\(field)", reason: reason)
}
