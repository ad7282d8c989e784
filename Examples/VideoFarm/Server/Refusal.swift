import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// A request that the farm does not grant, with the sentence that says why.
///
/// Travels as `{"error": {"code": "…", "message": "…"}}`; a program acts on the code, a person reads the message.
struct Refusal: Error {
  let status: HTTPResponse.Status
  let code: String
  let message: String
  let headers: HTTPFields

  init(_ status: HTTPResponse.Status, _ code: String, _ message: String, headers: HTTPFields = [:]) {
    self.status = status
    self.code = code
    self.message = message
    self.headers = headers
  }

  var response: Response {
    Response.json(Envelope(error: .init(code: code, message: message)), status: status, headers: headers)
  }

  private struct Envelope: Encodable {
    struct Body: Encodable {
      let code: String
      let message: String
    }
    let error: Body
  }
}

extension Refusal {
  static func noSuchVideo(_ id: some StringProtocol) -> Refusal {
    Refusal(.notFound, "no-such-video", "No video here has the id \(id).")
  }

  static func noMovieYet(_ id: VideoID) -> Refusal {
    Refusal(.notFound, "no-movie-yet", "Video \(id) has no movie yet; PUT one to /videos/\(id)/movie.")
  }

  static func preconditionFailed(_ id: VideoID) -> Refusal {
    Refusal(.preconditionFailed, "precondition-failed", "The movie of \(id) is not the one that the request names.")
  }
}

/// Gives every refusal its JSON body, those of the router and of failures included.
struct RefusalMiddleware<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let refusal as Refusal {
      return refusal.response
    } catch let error as HTTPError where error.status == .notFound {
      return Refusal(.notFound, "nothing-here", "Nothing answers \(request.method) \(request.uri.path) here.").response
    } catch let error as DiskError {
      context.logger.error("the disk failed: \(error)")
      return error.refusal.response
    } catch {
      context.logger.error("\(request.method) \(request.uri.path) failed: \(error)")
      return Refusal(.internalServerError, "failed", "The farm failed; its log says why.").response
    }
  }
}

extension HTTPResponse.Status {
  /// 507 Insufficient Storage (RFC 4918, 11.5).
  static let farmFull = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}

extension Response {
  /// Answers with `body` as JSON, its keys in alphabetical order.
  static func json(_ body: some Encodable, status: HTTPResponse.Status, headers: HTTPFields = [:]) -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only strings and whole numbers are encoded here, and of these every value has a JSON form.
    let bytes = try! encoder.encode(body)
    var headers = headers
    headers[.contentType] = "application/json; charset=utf-8"
    return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes + [0x0A])))
  }
}
