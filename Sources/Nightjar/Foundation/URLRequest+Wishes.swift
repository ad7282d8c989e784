import Foundation
public import FoundationNetworking

// Properties of Apple's URLRequest that FoundationNetworking's lacks. They are kept in a header field of ours, the only
// place that a request has for them that its copies keep, and take effect when a task is created from the request.
// Sessions of this library never send the field; a session of FoundationNetworking would.
extension URLRequest {
  /// Who caused a request, for the system's privacy reports.
  public enum Attribution: UInt, Sendable {
    /// The app.
    case developer = 0
    /// The person, who has typed or chosen its URL.
    case user = 1
  }

  /// Whether a background task may use a metered network. It may if its session allows it, too.
  ///
  /// Set it after `allHTTPHeaderFields`, which replaces all fields: it is kept in one, as are the properties below.
  public var allowsExpensiveNetworkAccess: Bool {
    get { !wishes.contains("inexpensive") }
    set { wish("inexpensive", if: !newValue) }
  }

  /// Whether a background task may use a network on which the person saves data. It may if its session allows it, too.
  /// Set it after `allHTTPHeaderFields`.
  public var allowsConstrainedNetworkAccess: Bool {
    get { !wishes.contains("unconstrained") }
    set { wish("unconstrained", if: !newValue) }
  }

  /// Whether a network of the lowest quality, such as by satellite, may be used. Kept but without effect, like the
  /// session's ``URLSessionConfiguration/allowsUltraConstrainedNetworkAccess``: Linux does not report such networks.
  public var allowsUltraConstrainedNetworkAccess: Bool {
    get { wishes.contains("ultraconstrained") }
    set { wish("ultraconstrained", if: newValue) }
  }

  /// Whether HTTP/3 is tried first. Kept but without effect: HTTP/3 is not supported.
  public var assumesHTTP3Capable: Bool {
    get { wishes.contains("http3") }
    set { wish("http3", if: newValue) }
  }

  /// Who caused the request. Kept but without effect: there are no privacy reports here.
  public var attribution: Attribution {
    get { wishes.contains("user") ? .user : .developer }
    set { wish("user", if: newValue == .user) }
  }

  /// Whether names are looked up with DNSSEC. Kept but without effect: the system's resolver decides.
  public var requiresDNSSECValidation: Bool {
    get { wishes.contains("dnssec") }
    set { wish("dnssec", if: newValue) }
  }

  /// The request without the field that must not be sent.
  var withoutWishes: URLRequest {
    guard value(forHTTPHeaderField: Self.wishesField) != nil else { return self }
    var request = self
    request.setValue(nil, forHTTPHeaderField: Self.wishesField)
    return request
  }

  /// The name of the field that this library never sends.
  static let wishesField = "Nightjar-Wishes"

  private var wishes: Set<String> {
    Set((value(forHTTPHeaderField: Self.wishesField) ?? "").split(separator: " ").map(String.init))
  }

  private mutating func wish(_ word: String, if isWanted: Bool) {
    var words = wishes
    if isWanted { words.insert(word) } else { words.remove(word) }
    setValue(words.isEmpty ? nil : words.sorted().joined(separator: " "), forHTTPHeaderField: Self.wishesField)
  }
}
