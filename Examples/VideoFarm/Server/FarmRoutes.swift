import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// What the farm answers to whom.
struct FarmRoutes {
  let store: VideoStore
  let desk: UploadDesk
  /// Bytes a second of each answer and each upload.
  let rate: Int?

  var router: Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: RefusalMiddleware())
    router.get("videos") { _, _ in
      Response.json(VideoList(videos: try await store.all().map(VideoPage.init)), status: .ok)
    }
    router.post("videos") { request, _ in try await prepare(request) }
    router.get("videos/:id") { _, context in
      Response.json(VideoPage(try await store.video(try id(context))), status: .ok)
    }
    router.put("videos/:id/movie") { request, context in try await receive(request, try id(context)) }
    for method in [HTTPRequest.Method.get, .head] {
      router.on("videos/:id/movie", method: method) { request, context in
        try await movie(request, try id(context))
      }
      router.on("videos/:id/thumbnail", method: method) { request, context in
        try await thumbnail(request, try id(context))
      }
    }
    addUploads(to: router)
    return router
  }

  private func id(_ context: BasicRequestContext) throws -> VideoID {
    let text = try context.parameters.require("id")
    guard let id = VideoID(text) else {
      throw Refusal(.badRequest, "bad-id", "An id is sixteen lowercase hexadecimal digits, unlike \(text.prefix(80)).")
    }
    return id
  }

  private struct Description: Decodable {
    let title: String
  }

  /// POST /videos: 303 See Other to the page of the new video.
  private func prepare(_ request: Request) async throws -> Response {
    let body: ByteBuffer
    do {
      body = try await request.body.collect(upTo: FarmLimits.descriptionSizeMax)
    } catch is NIOTooManyBytesError {
      let most = FarmLimits.descriptionSizeMax
      throw Refusal(.contentTooLarge, "description-large", "A description of a video has at most \(most) bytes.")
    }
    guard let description = try? JSONDecoder().decode(Description.self, from: Data(body.readableBytesView)) else {
      throw Refusal(.badRequest, "description-unreadable", "Describe the video as JSON: {\"title\": \"…\"}.")
    }
    let video = try await store.prepare(VideoTitle(description.title))
    return .json(VideoPage(video), status: .seeOther, headers: [.location: VideoPage.path(of: video.id)])
  }

  private func receive(_ request: Request, _ id: VideoID) async throws -> Response {
    let video = try await store.video(id)
    guard Validators.allowReplacing(video.movie?.validators, request.headers) else {
      throw Refusal.preconditionFailed(id)
    }
    if let token = request.headers[.uploadToken].flatMap({ UploadToken($0) }) {
      return try await begin(token, request, of: id)
    }
    let upload = try MovieUpload(request, pace: Pace(bytesPerSecond: rate, clock: ContinuousClock()))
    let replaced = try await store.store(id, if: request.headers) { intake in try await upload.pour(into: &intake) }
    let stored = try await store.video(id)
    return .json(VideoPage(stored), status: replaced ? .ok : .created, headers: stored.movie?.validators.headers ?? [:])
  }

  private func movie(_ request: Request, _ id: VideoID) async throws -> Response {
    let movie = try await store.movie(id)
    var answer = FileAnswer(
      open: { try store.openMovie(movie) }, size: movie.size, type: "application/octet-stream",
      validators: movie.validators, pace: Pace(bytesPerSecond: rate, clock: ContinuousClock()))
    answer.witness = store.witness(of: id)
    return try await answer.response(to: request)
  }

  private func thumbnail(_ request: Request, _ id: VideoID) async throws -> Response {
    let movie = try await store.movie(id)
    let answer = FileAnswer(
      open: { try store.openThumbnail(movie) }, size: Thumbnail.size, type: "image/png",
      validators: movie.thumbnailValidators, pace: Pace(bytesPerSecond: rate, clock: ContinuousClock()))
    return try await answer.response(to: request)
  }
}
