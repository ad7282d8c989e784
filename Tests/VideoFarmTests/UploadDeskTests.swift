import HTTPTypes
import HummingbirdCore
import NIOCore
import Testing

@testable import VideoFarmServer

struct UploadDeskTests {
  private func delivery(_ bytes: String) -> UploadDesk.Delivery {
    UploadDesk.Delivery(
      body: RequestBody(buffer: ByteBuffer(string: bytes)), promised: nil,
      pace: Pace(bytesPerSecond: nil, clock: ContinuousClock()), isLast: true)
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
}
