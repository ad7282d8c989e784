import NightjarCore
import NightjarModel

extension Question {
  /// What happens to the transfer if its app does not answer.
  var fallbackWords: String { failureUnanswered == nil ? "goes on" : "is cancelled" }

  /// What is asked, worded to follow "It asks its app".
  var words: String {
    switch self {
    case .delayedBegin: return "whether to begin with the same request"
    case .answer(let response): return "whether it wants the file, which the server announced with \(response.status)"
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
