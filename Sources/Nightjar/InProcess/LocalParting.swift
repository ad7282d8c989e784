import Foundation
import FoundationNetworking

/// What a suspended load needs to go on.
///
/// FoundationNetworking begins again at the first byte after a suspension and hands out everything twice, so we give its
/// task up instead and ask a new one for the rest: by a range, if the server named a version (RFC 9110, section 13.1.5),
/// or else for the whole, of which the beginning is left out if it is the same version.
struct LocalParting {
  /// Whether there is no task of FoundationNetworking's at present.
  var isParted = false
  /// Bytes that have come.
  var count = 0
  /// Bytes that come for the second time and are left out.
  private var skip = 0
  private var first: HTTPURLResponse?

  /// What to do with an answer.
  enum Reading: Equatable {
    /// It is the first, or the delegate may as well hear of it.
    case tell
    /// The rest follows.
    case goOn
    /// The file begins anew.
    case beginAnew
    /// What was handed out belongs to something else.
    case lost
  }

  /// The request for what has not come.
  func request(_ original: URLRequest) -> URLRequest {
    guard count > 0, let tag = first?.value(forHTTPHeaderField: "ETag"), !tag.hasPrefix("W/") else { return original }
    var rest = original
    rest.setValue("bytes=\(count)-", forHTTPHeaderField: "Range")
    rest.setValue(tag, forHTTPHeaderField: "If-Range")
    return rest
  }

  /// Looks at an answer's head.
  mutating func read(_ response: URLResponse, hasFile: Bool) -> Reading {
    guard let response = response as? HTTPURLResponse else { return .tell }
    defer { if count == 0 { first = response } }
    guard count > 0, let first else { return .tell }
    let range = response.value(forHTTPHeaderField: "Content-Range")
    if response.statusCode == 206, range?.hasPrefix("bytes \(count)-") == true { return .goOn }
    if hasFile {
      count = 0
      return .beginAnew
    }
    guard response.statusCode == first.statusCode, Self.version(response) == Self.version(first) else { return .lost }
    skip = count
    return .goOn
  }

  /// The part of some bytes that is new.
  mutating func take(_ data: Data) -> Data {
    let old = min(skip, data.count)
    skip -= old
    count += data.count - old
    return data.dropFirst(old)
  }

  /// What tells one version from another; nothing at all is no version.
  private static func version(_ response: HTTPURLResponse) -> [String?] {
    let version = ["ETag", "Last-Modified"].map { response.value(forHTTPHeaderField: $0) }
    return version == [nil, nil] ? [UUID().uuidString] : version + ["\(response.expectedContentLength)"]
  }
}
