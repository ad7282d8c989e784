import HTTPTypes
import Hummingbird
import NIOPosix

/// Answers a GET or HEAD with a file: conditions, one byte range, and the bytes from the disk.
struct FileAnswer {
  /// Opens the file, on a thread that may wait.
  let open: @Sendable () throws -> DiskFile
  let size: Int
  let type: String
  let validators: Validators
  let pace: Pace<ContinuousClock>
  /// Hears which bytes are sent, and how many were.
  var witness = Witness()

  /// Who hears of the bodies that are sent.
  struct Witness: Sendable {
    var began: @Sendable (Range<Int>) -> Void = { _ in }
    var ended: @Sendable (Range<Int>, Int) -> Void = { _, _ in }
  }

  func response(to request: Request) async throws -> Response {
    switch validators.verdict(on: request.headers) {
    case .failed:
      throw Refusal(.preconditionFailed, "precondition-failed", "The file here is not the one that the request names.")
    case .notModified: return Response(status: .notModified, headers: notModifiedHeaders)
    case .proceed: break
    }
    let wanted = validators.allowRange(request.headers) && request.method == .get ? request.headers[.range] : nil
    return try await response(ByteRange(wanted, size: size), isHead: request.method == .head)
  }

  private func response(_ range: ByteRange, isHead: Bool) async throws -> Response {
    switch range {
    case .whole:
      return try await response(.ok, headers, 0..<size, isHead: isHead)
    case .part(let part):
      var headers = headers
      headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
      return try await response(.partialContent, headers, part, isHead: isHead)
    case .unsatisfiable:
      throw Refusal(
        .rangeNotSatisfiable, "range-beyond-end", "The file has \(size) bytes; the range asks for none of them.",
        headers: [.contentRange: "bytes */\(size)", .acceptRanges: "bytes"])
    }
  }

  private var headers: HTTPFields {
    var headers = validators.headers
    headers[.contentType] = type
    return headers
  }

  /// A 304 has no body, so nothing is said of one's length: a 0 here would be the file's.
  private var notModifiedHeaders: HTTPFields {
    var headers = validators.headers
    headers[.contentLength] = String(size)
    return headers
  }

  private func response(
    _ status: HTTPResponse.Status, _ headers: HTTPFields, _ part: Range<Int>, isHead: Bool
  ) async throws -> Response {
    var headers = headers
    headers[.contentLength] = String(part.count)
    guard !isHead else { return Response(status: status, headers: headers) }
    let file = try await NIOThreadPool.singleton.runIfActive(open)
    return Response(status: status, headers: headers, body: Self.body(file, part, pace, witness))
  }

  /// Reads a chunk only when the socket has taken the one before.
  private static func body(
    _ file: DiskFile, _ part: Range<Int>, _ pace: Pace<ContinuousClock>, _ witness: Witness
  ) -> ResponseBody {
    ResponseBody(contentLength: part.count) { writer in
      var (pace, offset) = (pace, part.lowerBound)
      witness.began(part)
      defer { witness.ended(part, offset - part.lowerBound) }
      while offset < part.upperBound {
        let (start, count) = (offset, min(pace.chunkSize, part.upperBound - offset))
        let chunk = try await NIOThreadPool.singleton.runIfActive { try file.read(at: start, count: count) }
        guard chunk.readableBytes == count else {
          throw DiskError(deed: "read all of", path: file.path, number: EIO)
        }
        try await writer.write(chunk)
        offset += count
        try await pace.pause(after: count)
      }
      try await writer.finish(nil)
    }
  }
}
