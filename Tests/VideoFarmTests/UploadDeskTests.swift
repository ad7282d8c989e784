import HTTPTypes
import HummingbirdCore
import NIOCore
import Testing

@testable import VideoFarmServer

struct UploadDeskTests {
  private func delivery(_ bytes: String, isLast: Bool = true) -> UploadDesk.Delivery {
    UploadDesk.Delivery(
      body: RequestBody(buffer: ByteBuffer(string: bytes)), promised: nil,
      pace: Pace(bytesPerSecond: nil, clock: ContinuousClock()), isLast: isLast)
  }

  @Test func `who asks about an upload before its first byte goes on with it, and not who began it`() async throws {
    try await withFolder { folder in
      let store = try await VideoStore(folder: folder) { _ in }
      let desk = UploadDesk(store: store)
      var entropy = SystemRandomNumberGenerator()
      let token = UploadToken(using: &entropy)
      let video = try await store.prepare(VideoTitle("A video")).id
      let (upload, turn) = try await desk.begin(token, of: video, length: 5, [:])

      #expect(try await desk.inquire(token).offset == 0)
      await #expect(throws: Refusal.self) {
        try await desk.append(delivery("first"), to: upload, at: 0, turn: turn)
      }
      let stored = try await desk.append(delivery("later"), to: upload, at: 0)

      #expect(stored?.0.movie?.size == 5)
      store.close(quiet)
    }
  }

  @Test func `of two requests that finish an upload at once one stores the movie, and the other is refused`()
    async throws
  {
    try await withFolder { folder in
      let store = try await VideoStore(folder: folder) { _ in }
      let desk = UploadDesk(store: store)
      var entropy = SystemRandomNumberGenerator()
      let video = try await store.prepare(VideoTitle("A video")).id
      for round in 1...20 {
        let (token, movie) = (UploadToken(using: &entropy), "movie \(round)")
        let (upload, turn) = try await desk.begin(token, of: video, length: nil, [:])
        _ = try await desk.append(delivery(movie, isLast: false), to: upload, at: 0, turn: turn)

        async let first = outcome { try await desk.append(delivery(""), to: upload, at: movie.utf8.count) != nil }
        async let second = outcome { try await desk.append(delivery(""), to: upload, at: movie.utf8.count) != nil }
        let outcomes = await [first, second]

        #expect(outcomes.count { (try? $0.get()) == true } == 1)
        #expect(outcomes.count { if case .failure(is Refusal) = $0 { true } else { false } } == 1, "\(outcomes)")
        let file = try store.openMovie(try await store.movie(video))
        #expect(String(buffer: try file.read(at: 0, count: 99)) == movie)
        #expect(try await desk.inquire(token).upload.isComplete)
      }
      store.close(quiet)
    }
  }

  private func outcome<Value: Sendable>(
    _ deed: @Sendable () async throws -> Value
  ) async -> Result<Value, any Error> {
    do { return .success(try await deed()) } catch { return .failure(error) }
  }
}
