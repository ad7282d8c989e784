import HTTPTypes
import Hummingbird

/// The body of a PUT: as many bytes as its head promises, at the farm's pace.
struct MovieUpload {
  private let body: RequestBody
  private let promised: Int?
  private let pace: Pace<ContinuousClock>

  /// Refuses a movie that is too large before a byte of it is read.
  init(_ request: Request, pace: Pace<ContinuousClock>) throws(Refusal) {
    self.body = request.body
    self.promised = request.headers[.contentLength].flatMap { Int($0) }
    self.pace = pace
    if let promised, promised > FarmLimits.movieSizeMax { throw Self.tooLarge }
  }

  /// Hands every byte to `intake`. Throws when the connection ends before the movie does.
  func pour(into intake: inout MovieIntake) async throws {
    var pace = pace
    for try await bytes in body {
      guard intake.size + bytes.readableBytes <= FarmLimits.movieSizeMax else { throw Self.tooLarge }
      try await intake.take(bytes)
      try await pace.pause(after: bytes.readableBytes)
    }
    if let promised, promised != intake.size {
      throw Refusal(.badRequest, "movie-cut", "The movie ended after \(intake.size) of \(promised) bytes.")
    }
  }

  static let tooLarge = Refusal(
    .contentTooLarge, "movie-large", "A movie has at most \(FarmLimits.movieSizeMax) bytes.")
}
