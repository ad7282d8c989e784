import Foundation
import Logging
import VideoFarmServer

/// A farm that listens on a free port of this process, in a folder of its own.
struct FarmUnderTest: Sendable {
  let port: Int
  let folder: String
  let events: AsyncStream<FarmEvent>

  /// Waits for the first event that has not been waited for and that `matches`.
  func event(_ matches: @Sendable (FarmEvent) -> Bool) async -> FarmEvent? {
    for await event in events where matches(event) { return event }
    return nil
  }

  /// Announces a video, and gives its page's path: `/videos/…`.
  func prepare(_ title: String) async throws -> String {
    let answer = try await curl("/videos", "--data", #"{"title": "\#(title)"}"#)
    return try answer.header("location")
  }

  /// Announces a video and stores `bytes` as its movie.
  func store(_ bytes: [UInt8], as title: String = "A video") async throws -> String {
    let page = try await prepare(title)
    try await put(bytes, on: page)
    return page
  }

  @discardableResult
  func put(_ bytes: [UInt8], on page: String, _ options: String...) async throws -> CurlAnswer {
    let file = folder + "/to-send-\(UUID().uuidString)"
    try Data(bytes).write(to: URL(filePath: file))
    return try await CurlAnswer.of(["--upload-file", file, "--header", "Expect:"] + options + [url(page + "/movie")])
  }

  func curl(_ path: String, _ options: String...) async throws -> CurlAnswer {
    try await CurlAnswer.of(options + [url(path)])
  }

  /// The names of all files in the farm's folder of `movies` or of `incoming` ones.
  func files(_ place: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder + "/data/" + place).sorted()
  }

  private func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }
}

/// Runs `body` against a farm of its own, and takes the farm down afterwards.
func withFarm(
  _ configure: (inout FarmSettings) -> Void = { _ in }, _ body: (FarmUnderTest) async throws -> Void
) async throws {
  try await withFolder { folder in
    var settings = FarmSettings(data: folder + "/data")
    settings.endsOnSignals = false
    configure(&settings)
    let (events, tell) = AsyncStream<FarmEvent>.makeStream()
    let farm = try await Farm(settings, logger: quiet) { tell.yield($0) }
    let (ports, listening) = AsyncStream<Int>.makeStream()
    let running = Task { try await farm.run { listening.yield($0) } }
    for await port in ports {
      do {
        try await body(FarmUnderTest(port: port, folder: folder, events: events))
      } catch {
        running.cancel()
        throw error
      }
      break
    }
    running.cancel()
    _ = await running.result
  }
}

/// Runs `body` with a folder of its own, and removes it afterwards.
func withFolder(_ body: (String) async throws -> Void) async throws {
  let folder = NSTemporaryDirectory() + "/videofarm-\(UUID().uuidString)"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try await body(folder)
}

let quiet = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }

/// Bytes that follow from `seed`, none of them where another seed's are.
func movieBytes(_ count: Int, seed: UInt8 = 1) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8)) &+ seed }
}
