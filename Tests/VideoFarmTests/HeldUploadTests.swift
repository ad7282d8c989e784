import Crypto
import Glibc
import NIOCore
import Testing

@testable import VideoFarmServer

struct HeldUploadTests {
  /// A disk that fills up: write(2) takes what there is room for and then fails. Holds for the whole process.
  private static func boundFiles(to size: UInt) {
    signal(SIGXFSZ, SIG_IGN)
    var bound = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &bound)
    bound.rlim_cur = size
    precondition(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &bound) == 0, "the bound cannot be set")
  }

  @Test(arguments: [false, true])
  func `a piece that found no room leaves nothing behind, and is stored once when it comes again`(isResumed: Bool) async
  {
    await #expect(processExitsWith: .success) { [isResumed] in
      try await withFolder { folder in
        let (path, movie) = (folder + "/upload", movieBytes(3000))
        let new = HeldUpload(name: "upload", file: try DiskFile.new(path))
        _ = try new.append(ByteBuffer(bytes: movie[..<1000]), turn: new.claim())
        let held = isResumed ? try HeldUpload.resumed(name: "upload", file: try DiskFile.growing(path)) : new
        let (turn, rest) = (held.claim(), ByteBuffer(bytes: movie[1000...]))

        Self.boundFiles(to: 2000)
        #expect(throws: DiskError.self) { try held.append(rest, turn: turn) }
        let left = try HeldUpload.resumed(name: "upload", file: try DiskFile.existing(path))
        Self.boundFiles(to: .max)
        let size = try held.append(rest, turn: turn)

        #expect(left.size == 1000)
        #expect(size == 3000)
        #expect(try DiskFile.existing(path).read(at: 0, count: 9999) == ByteBuffer(bytes: movie))
        #expect(try held.intake(turn: turn)?.digest == SHA256.hash(data: movie))
      }
    }
  }
}
