import HTTPTypes
import Hummingbird

/// What the farm answers about uploads that can go on.
extension FarmRoutes {
  func addUploads(to router: Router<BasicRequestContext>) {
    router.head("uploads/:token") { request, context in try await inquire(request, try token(context)) }
    router.patch("uploads/:token") { request, context in try await append(request, try token(context)) }
    router.delete("uploads/:token") { request, context in
      try await desk.cancel(try token(context))
      return Response(status: .noContent, headers: .aboutUpload(request.headers))
    }
  }

  private func token(_ context: BasicRequestContext) throws -> UploadToken {
    guard let token = UploadToken(try context.parameters.require("token")) else { throw UploadDesk.unknown }
    return token
  }

  /// PUT /videos/…/movie by a client that can go on: the answer is the ordinary one once the whole is there.
  func begin(_ token: UploadToken, _ request: Request, of id: VideoID) async throws -> Response {
    let isLast = request.headers.completesUpload ?? true
    let promised = request.headers.count(.contentLength)
    let length = request.headers.count(.uploadLength) ?? (isLast ? promised : nil)
    let (upload, turn) = try await desk.begin(token, of: id, length: length, request.headers)
    guard let stored = try await desk.append(delivery(request), to: upload, at: 0, turn: turn) else {
      var fields = HTTPFields.aboutUpload(request.headers)
      (fields[.location], fields[.uploadComplete]) = (token.path, "?0")
      return Response(status: .created, headers: fields)
    }
    return page(stored, request)
  }

  private func inquire(_ request: Request, _ token: UploadToken) async throws -> Response {
    let (upload, offset) = try await desk.inquire(token)
    var fields = HTTPFields.aboutUpload(request.headers)
    fields[.uploadOffset] = "\(offset)"
    fields[.uploadComplete] = upload.isComplete ? "?1" : "?0"
    fields[.uploadLength] = upload.length.map { "\($0)" }
    return Response(status: .noContent, headers: fields)
  }

  private func append(_ request: Request, _ token: UploadToken) async throws -> Response {
    guard request.headers[.contentType] == "application/partial-upload" else {
      throw Refusal(.unsupportedMediaType, "not-a-part", "A part of an upload is application/partial-upload.")
    }
    guard let offset = request.headers.count(.uploadOffset) else {
      throw Refusal(.badRequest, "no-offset", "Say with Upload-Offset where the part begins.")
    }
    let upload = try await desk.known(token)
    guard !upload.isComplete else {
      throw Refusal(.badRequest, "completed-upload", "The upload is complete.", headers: [.uploadComplete: "?1"])
    }
    guard let stored = try await desk.append(delivery(request), to: upload, at: offset) else {
      var fields = HTTPFields.aboutUpload(request.headers)
      fields[.uploadComplete] = "?0"
      return Response(status: .noContent, headers: fields)
    }
    return page(stored, request)
  }

  private func delivery(_ request: Request) -> UploadDesk.Delivery {
    UploadDesk.Delivery(
      body: request.body, promised: request.headers.count(.contentLength),
      pace: Pace(bytesPerSecond: rate, clock: ContinuousClock()), isLast: request.headers.completesUpload ?? true)
  }

  private func page(_ stored: (Video, replaced: Bool), _ request: Request) -> Response {
    var fields = HTTPFields.aboutUpload(request.headers)
    for field in stored.0.movie?.validators.headers ?? [:] { fields[field.name] = field.value }
    fields[.uploadComplete] = "?1"
    return .json(VideoPage(stored.0), status: stored.replaced ? .ok : .created, headers: fields)
  }
}
