import HTTPTypes

/// What tells two states of a file apart, and what a request's conditions come to (RFC 9110, 8.8 and 13).
struct Validators {
  /// What the conditions of a request ask for.
  enum Verdict {
    case proceed
    case notModified
    case failed
  }

  /// A strong entity tag, with its quotes: the same bytes have the same tag, in every farm and after every restart.
  let tag: String
  let modified: HTTPMoment

  var headers: HTTPFields {
    [.eTag: tag, .lastModified: modified.text, .acceptRanges: "bytes", .cacheControl: "no-cache"]
  }

  /// Judges the conditions of a GET or HEAD in the order that RFC 9110, 13.2.2 prescribes.
  func verdict(on headers: HTTPFields) -> Verdict {
    if let wanted = headers[.ifMatch] {
      guard Self.list(wanted, names: tag, weakly: false) else { return .failed }
    } else if let moment = headers[.ifUnmodifiedSince].flatMap(HTTPMoment.init) {
      guard modified <= moment else { return .failed }
    }
    if let known = headers[.ifNoneMatch] {
      return Self.list(known, names: tag, weakly: true) ? .notModified : .proceed
    }
    if let moment = headers[.ifModifiedSince].flatMap(HTTPMoment.init) {
      return modified <= moment ? .notModified : .proceed
    }
    return .proceed
  }

  /// Whether a range may be served: there is no `If-Range`, or it names exactly this state.
  func allowRange(_ headers: HTTPFields) -> Bool {
    headers[.ifRange].map { $0 == tag || $0 == modified.text } ?? true
  }

  /// Whether a PUT may go ahead. `current` is nil where there is no movie yet.
  static func allowReplacing(_ current: Validators?, _ headers: HTTPFields) -> Bool {
    if let wanted = headers[.ifMatch] {
      guard let current, list(wanted, names: current.tag, weakly: false) else { return false }
    }
    if let unwanted = headers[.ifNoneMatch], let current {
      return !list(unwanted, names: current.tag, weakly: true)
    }
    return true
  }

  private static func list(_ header: String, names tag: String, weakly: Bool) -> Bool {
    if header == "*" { return true }
    // Our own tags contain no comma, so a tag of somebody else's that does can at worst fail to match.
    return header.split(separator: ",").contains { entry in
      let entry = entry.drop { $0 == " " }.prefix { $0 != " " }
      return entry == tag || (weakly && entry == "W/" + tag)
    }
  }
}
