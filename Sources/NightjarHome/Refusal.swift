import FoundationEssentials
import HTTPTypes
import Hummingbird
import NightjarClient
import NightjarWire

/// A refused request. It is sent as `{"code": …, "message": …}`: a code for the page, a sentence for people.
struct Refusal: Error {
  let status: HTTPResponse.Status
  let code: String
  let message: String

  init(_ status: HTTPResponse.Status, _ code: String, _ message: String) {
    (self.status, self.code, self.message) = (status, code, message)
  }

  /// The refusal for a call that the daemon refused or that did not reach it.
  init(_ error: ClientError) {
    let (status, code): (HTTPResponse.Status, String) =
      switch error.code {
      case .noDaemon, .lost: (.serviceUnavailable, error.code.rawValue)
      case .notPermitted: (.forbidden, error.code.rawValue)
      case .unintelligible: (.notImplemented, error.code.rawValue)
      case .refused: (.conflict, error.failure.map { "\(type(of: $0))" } ?? error.code.rawValue)
      }
    self.init(status, code, error.detail)
  }

  var response: Response {
    struct Words: Encodable { var code, message: String }
    return .json(Words(code: code, message: message), status: status)
  }
}

extension Response {
  /// A JSON answer that must not be cached.
  static func json(_ body: some Encodable, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
      body: .init(byteBuffer: JSONText.buffer(body)))
  }
}

/// Values as JSON, on one line.
enum JSONText {
  static func buffer(_ value: some Encodable) -> ByteBuffer {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    // Our messages contain only texts, whole numbers, finite fractions and booleans: each has a JSON form.
    return ByteBuffer(bytes: try! encoder.encode(value))
  }
}
