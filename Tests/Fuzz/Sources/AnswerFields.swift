import NIOHTTP1
import NightjarModel
@testable import NightjarTransfer

/// The header fields of an answer, one a line, lead to what is sent next: a way in, a cookie, another address, an
/// upload's rest. Nothing that is sent has a control character in it, wherever it came from.
func fuzzAnswerFields(_ bytes: UnsafeBufferPointer<UInt8>) {
  let head = AnswerHead(status: 302, headers: fields(bytes))
  check(head.headers)
  walk(head)
  if let offset = head.uploadOffset { precondition(offset >= 0, "an offset of \(offset)") }
  if let length = head.uploadLength { precondition(length >= 0, "a length of \(length)") }
  if let most = head.uploadAppendMax { precondition(most > 0, "at most \(most) bytes") }
  _ = (head.uploadVersion, head.isUploadComplete)
}

/// A field for each line, as HTTP's decoder hands them on.
private func fields(_ bytes: UnsafeBufferPointer<UInt8>) -> [HTTPField] {
  bytes.split(separator: UInt8(ascii: "\n")).map { line in
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    let value = line.dropFirst(name.count + 1).filter { $0 != 0 && $0 != UInt8(ascii: "\r") }
    return HTTPField(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
  }
}

/// Every way in that is offered can be gone.
private func check(_ fields: [HTTPField]) {
  let schemes = AuthScheme.all(in: fields, named: "WWW-Authenticate")
  for offer in AuthOffer.all(among: schemes) {
    guard var digest = offer.digest else { continue }
    let field = digest.field(user: "u", password: "p", method: "GET", target: "/", clientNonce: "n")
    precondition(isSendable(field), "the proof \(field)")
  }
}

/// Follows every place that the answer names, with its cookies.
private func walk(_ head: AnswerHead) {
  guard let key = RequestKey(String(repeating: "ab", count: 16)) else { fatalError("no key") }
  let request = TransferRequest(key: key, app: AppID("dev.example.A"), url: "http://h.example/a/b?c")
  guard var way = try? Itinerary(request, redirectsMax: 8) else { fatalError("nowhere to go") }
  way.takeCookies(head)
  for field in head.headers where field.name.lowercased() == "location" {
    guard (try? way.follow(status: head.status, location: field.value)) != nil else { continue }
    let next = HTTPRequestHead(way, rest: nil, bodyLength: nil)
    precondition(isSendable(next.uri) && next.uri.hasPrefix("/"), "the target \(next.uri)")
    for (name, value) in next.headers { precondition(isSendable(value), "\(name): \(value)") }
    precondition((try? WebAddress(way.address.text)) == way.address, "\(way.address.text) leads elsewhere")
    way.takeCookies(head)
  }
}

private func isSendable(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }
