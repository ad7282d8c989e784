import NIOCore
import Testing

@testable import VideoFarmServer

struct ServerPartsTests {
  @Test(arguments: [
    (nil, ByteRange.whole), ("bytes=0-9", .part(0..<10)), ("bytes=90-", .part(90..<100)), ("bytes=-5", .part(95..<100)),
    ("bytes=-500", .part(0..<100)), ("bytes=99-200", .part(99..<100)), ("BYTES= 1-2 ", .part(1..<3)),
    ("bytes=100-", .unsatisfiable), ("bytes=-0", .unsatisfiable), ("bytes=99999999999999999999-", .unsatisfiable),
    ("bytes=5-2", .whole), ("bytes=-", .whole), ("bytes=a-b", .whole), ("bytes=1-2,5-6", .whole), ("items=0-9", .whole),
    ("bytes", .whole), ("bytes=+1-2", .whole), ("bytes=--5", .whole),
  ])
  func `a Range header asks for what RFC 9110 says`(header: String?, range: ByteRange) {
    #expect(ByteRange(header, size: 100) == range)
  }

  @Test func `an empty file has no range`() {
    #expect(ByteRange("bytes=0-", size: 0) == .unsatisfiable)
    #expect(ByteRange("bytes=-1", size: 0) == .unsatisfiable)
  }

  @Test(arguments: [
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT", "2000-02-29T00:00:00Z"),
  ])
  func `a moment is written and read as HTTP does`(seconds: Int, text: String, iso: String) {
    #expect(HTTPMoment(seconds: seconds).text == text)
    #expect(HTTPMoment(seconds: seconds).iso == iso)
    #expect(HTTPMoment(text)?.seconds == seconds)
  }

  @Test(arguments: [
    "", "yesterday", "Mon, 06 Nov 1994 08:49:37 GMT", "Thu, 30 Feb 1995 00:00:00 GMT", "Sun Nov  6 08:49:37 1994",
    "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov -99999999999 08:49:37 GMT",
  ])
  func `a moment that is none is not read`(text: String) { #expect(HTTPMoment(text) == nil) }

  @Test func `a pace holds a stream to its rate, and gives no credit for a pause`() async throws {
    let clock = HandClock()
    var pace = Pace(bytesPerSecond: 1000, clock: clock)

    try await pace.pause(after: 500)
    try await pace.pause(after: 500)
    #expect(clock.now.offset == .seconds(1))

    clock.advance(by: .seconds(60))
    try await pace.pause(after: 250)
    #expect(clock.now.offset == .seconds(61) + .milliseconds(250))
  }

  @Test func `without a rate nothing waits`() async throws {
    let clock = HandClock()
    var pace = Pace(bytesPerSecond: nil, clock: clock)

    try await pace.pause(after: .max)

    #expect(clock.now.offset == .zero)
  }

  @Test func `a thumbnail's size is known before it is made`() {
    for byte: UInt8 in [0, 1, 127, 255] {
      #expect(Thumbnail(digest: Array(repeating: byte, count: 32)).png.count == Thumbnail.size)
    }
  }

  @Test func `a PNG's chunks carry their checksums`() {
    let bytes = PNGFile(width: 0, height: 0).bytes

    #expect(Array(bytes.suffix(12)) == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
  }

  @Test(arguments: [0, 1, 4096, 262_144, 262_145, 600_000])
  func `a seeded movie has its size and is the same every time`(size: Int) {
    let (first, second) = (bytes(of: 7, size), bytes(of: 7, size))

    #expect(first.count == size)
    #expect(first == second)
    #expect(size < 8 || first != bytes(of: 8, size))
  }

  private func bytes(of number: Int, _ size: Int) -> [UInt8] {
    var (movie, bytes) = (SeedMovie(number: number, size: size), [UInt8]())
    while let chunk = movie.next() { bytes += chunk.readableBytesView }
    return bytes
  }
}
