import Foundation
public import FoundationNetworking

// What Apple's URLRequest says of networks and FoundationNetworking's does not. A request has no other place to carry it
// than its header fields: it travels in one of ours, which is heeded when a task is made of the request. Sessions of this
// library never send it; one of FoundationNetworking's own, handed such a request, would.
extension URLRequest {
  /// Whose doing a request is, for the system's privacy reports.
  public enum Attribution: UInt, Sendable {
    /// The app's.
    case developer = 0
    /// The person's, who has typed or chosen its URL.
    case user = 1
  }

  /// Whether a background task may use a network that costs money by the byte. It may if its session allows it, too.
  public var allowsExpensiveNetworkAccess: Bool {
    get { !wishes.contains("inexpensive") }
    set { wish("inexpensive", if: !newValue) }
  }

  /// Whether a background task may use a network on which the person saves data. It may if its session allows it, too.
  public var allowsConstrainedNetworkAccess: Bool {
    get { !wishes.contains("unconstrained") }
    set { wish("unconstrained", if: !newValue) }
  }

  /// Whether a network of the lowest quality, such as by satellite, may be used. Kept, and decides nothing, as the session's
  /// ``URLSessionConfiguration/allowsUltraConstrainedNetworkAccess`` does: Linux tells of no such networks.
  public var allowsUltraConstrainedNetworkAccess: Bool {
    get { wishes.contains("ultraconstrained") }
    set { wish("ultraconstrained", if: newValue) }
  }

  /// Whether HTTP/3 is to be tried first. Kept, and decides nothing: HTTP/3 is not spoken here.
  public var assumesHTTP3Capable: Bool {
    get { wishes.contains("http3") }
    set { wish("http3", if: newValue) }
  }

  /// Whose doing the request is. Kept, and decides nothing: there are no privacy reports here.
  public var attribution: Attribution {
    get { wishes.contains("user") ? .user : .developer }
    set { wish("user", if: newValue == .user) }
  }

  /// Whether names are to be looked up with DNSSEC. Kept, and decides nothing: the system's resolver sees to it.
  public var requiresDNSSECValidation: Bool {
    get { wishes.contains("dnssec") }
    set { wish("dnssec", if: newValue) }
  }

  /// The request as it may be sent.
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
