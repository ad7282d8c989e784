import Crypto
import Foundation
import Testing

@testable import VideoFarmKit

struct ShelfTests {
  private let id = "0123456789abcdef"

  @Test func `a restart keeps everything`() async throws {
    try await withFolder { folder in
      let place = URL(filePath: folder)
      let shelf = try Shelf(folder: place)
      try shelf.change { $0.server = "http://127.0.0.1:1" }
      try shelf.change { $0.prepare(upload: id, title: "Summer") }
      try shelf.change { $0.begin(.upload(id), task: 12) }

      let again = try Shelf(folder: place)

      #expect(again.library == shelf.library)
      #expect(again.library[.upload(id)]?.task == 12)
    }
  }

  @Test func `a write that was torn by a crash loses nothing`() async throws {
    try await withFolder { folder in
      let place = URL(filePath: folder)
      try Shelf(folder: place).change { $0.server = "http://before" }
      let torn = try Data(contentsOf: place.appending(path: "library.json")).prefix(10)
      try torn.write(to: place.appending(path: "library.json.new"))

      let again = try Shelf(folder: place)
      #expect(again.library.server == "http://before")
      try again.change { $0.server = "http://after" }
      #expect(try Shelf(folder: place).library.server == "http://after")
    }
  }

  @Test func `a change that the disk refuses did not happen`() async throws {
    try await withFolder { folder in
      let place = URL(filePath: folder)
      let shelf = try Shelf(folder: place)
      try shelf.change { $0.server = "http://before" }
      let blocker = place.appending(path: "library.json.new")
      try FileManager.default.createDirectory(at: blocker, withIntermediateDirectories: false)

      #expect(throws: ShelfError.self) { try shelf.change { $0.server = "http://after" } }

      #expect(shelf.library.server == "http://before")
      #expect(try Shelf(folder: place).library.server == "http://before")
    }
  }

  @Test func `a library that cannot be read is left as it is`() async throws {
    try await withFolder { folder in
      let file = URL(filePath: folder).appending(path: "library.json")
      try Data("{half".utf8).write(to: file)

      #expect(throws: ShelfError.self) { try Shelf(folder: URL(filePath: folder)) }

      #expect(try Data(contentsOf: file) == Data("{half".utf8))
    }
  }
}

struct ArrivalsTests {
  private let id = "0123456789abcdef"
  private let bytes = Data("a movie".utf8)
  private var sha256: String { SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined() }

  @Test func `a movie that is what the server lists moves to Documents`() async throws {
    try await withArrivals { arrivals, location in
      let news = arrivals.downloaded(.movie(id), at: try location(bytes), status: 200)

      #expect(news == .arrived(.movie(id), file: "\(id).movie", size: bytes.count, sha256: sha256))
      #expect(try Data(contentsOf: arrivals.shelf.place(of: .movie(id))) == bytes)
      #expect(arrivals.shelf.library[.movie(id)]?.sha256 == sha256)
      #expect(arrivals.shelf.library[.movie(id)]?.state == .there)
      #expect(arrivals.completed(.movie(id), task: 7, status: 200, problem: nil) == nil)
    }
  }

  @Test func `news that are told again after a crash change nothing`() async throws {
    try await withArrivals { arrivals, location in
      _ = arrivals.downloaded(.movie(id), at: try location(bytes), status: 200)
      let before = arrivals.shelf.library

      let news = arrivals.downloaded(.movie(id), at: try location(bytes), status: 200)

      #expect(news == .arrived(.movie(id), file: "\(id).movie", size: bytes.count, sha256: sha256))
      #expect(arrivals.shelf.library == before)
    }
  }

  @Test func `a movie that is another than listed is refused, and what was there stays`() async throws {
    try await withArrivals { arrivals, location in
      _ = arrivals.downloaded(.movie(id), at: try location(bytes), status: 200)

      let news = arrivals.downloaded(.movie(id), at: try location(Data("another".utf8)), status: 200)

      guard case .failed(.movie(id), let problem) = news else { return #expect(Bool(false), "\(news)") }
      #expect(problem.contains(sha256))
      #expect(arrivals.shelf.library[.movie(id)]?.state == .failed)
      #expect(try Data(contentsOf: arrivals.shelf.place(of: .movie(id))) == bytes)
    }
  }

  @Test func `what comes with a 404 is no movie`() async throws {
    try await withArrivals { arrivals, location in
      let news = arrivals.downloaded(.thumbnail(id), at: try location(bytes), status: 404)

      #expect(news == .failed(.thumbnail(id), problem: "the server answered 404"))
      #expect(!FileManager.default.fileExists(atPath: arrivals.shelf.place(of: .thumbnail(id)).path))
    }
  }

  @Test func `a transfer that failed is remembered with its reason`() async throws {
    try await withArrivals { arrivals, _ in
      let news = arrivals.completed(.movie(id), task: 7, status: nil, problem: "cancelled")

      #expect(news == .failed(.movie(id), problem: "cancelled"))
      #expect(arrivals.shelf.library[.movie(id)]?.problem == "cancelled")
    }
  }

  @Test func `a download that was paused is no failure, and what it left outlives the app`() async throws {
    try await withArrivals { arrivals, _ in
      _ = try arrivals.shelf.change { $0.pause(.movie(id)) }

      for _ in 1...2 {
        let news = arrivals.completed(.movie(id), task: 7, status: nil, problem: "cancelled", resumeData: Data([1, 2]))
        #expect(news == .paused(.movie(id), isKept: true))
      }

      let later = try Shelf(folder: arrivals.shelf.folder)
      #expect(later.library[.movie(id)]?.state == .paused && later.library[.movie(id)]?.resumeData == Data([1, 2]))
    }
  }

  @Test func `the end of a paused task that is told late means nothing to the download that goes on`() async throws {
    try await withArrivals { arrivals, _ in
      let (shelf, job, left) = (arrivals.shelf, Job.movie(id), Data([1, 2]))
      try shelf.change { $0.begin(job, task: 7) }
      try shelf.change { library in
        _ = library.pause(job)
        library.keep(left, of: job)
        _ = library.goOn(.all)
      }

      let asWanted = arrivals.completed(job, task: 7, status: nil, problem: "cancelled", resumeData: Data([3]))
      #expect(shelf.library[job]?.state == .wanted && shelf.library[job]?.resumeData == left)
      try shelf.change { $0.begin(job, task: 8) }
      let asMoving = arrivals.completed(job, task: 7, status: nil, problem: "cancelled", resumeData: left)

      #expect(asWanted == nil && asMoving == nil)
      #expect(shelf.library[job] == Library.File(state: .moving, task: 8))
      #expect(arrivals.completed(job, task: 8, status: nil, problem: "lost") == .failed(job, problem: "lost"))
    }
  }

  @Test func `the end of the task that goes on counts before its beginning is remembered`() async throws {
    try await withArrivals { arrivals, _ in
      let (shelf, job) = (arrivals.shelf, Job.movie(id))
      try shelf.change { $0.begin(job, task: 7) }
      try shelf.change { library in
        _ = library.pause(job)
        _ = library.goOn(.all)
      }

      let news = arrivals.completed(job, task: 8, status: nil, problem: "lost")
      try shelf.change { $0.begin(job, task: 8) }

      #expect(news == .failed(job, problem: "lost"))
      #expect(shelf.library[job]?.state == .failed)
    }
  }

  @Test func `a download that failed keeps what it left`() async throws {
    try await withArrivals { arrivals, _ in
      _ = arrivals.completed(.movie(id), task: 7, status: nil, problem: "no space", resumeData: Data([1]))

      #expect(arrivals.shelf.library[.movie(id)]?.state == .failed)
      #expect(arrivals.shelf.library[.movie(id)]?.resumeData == Data([1]))
    }
  }

  @Test func `an upload that was taken gives up its copy, and may be told again`() async throws {
    try await withArrivals { arrivals, _ in
      let job = Job.upload("fedcba9876543210")
      try arrivals.shelf.change { $0.prepare(upload: job.video, title: "Summer") }
      try bytes.write(to: arrivals.shelf.place(of: job))

      for _ in 1...2 {
        #expect(arrivals.completed(job, task: 7, status: 201, problem: nil) == .uploaded(job, status: 201))
      }

      #expect(arrivals.shelf.library[job]?.state == .there)
      #expect(!FileManager.default.fileExists(atPath: arrivals.shelf.place(of: job).path))
    }
  }

  @Test func `an upload that was refused keeps its copy`() async throws {
    try await withArrivals { arrivals, _ in
      let job = Job.upload("fedcba9876543210")
      try arrivals.shelf.change { $0.prepare(upload: job.video, title: "Summer") }
      try bytes.write(to: arrivals.shelf.place(of: job))

      #expect(
        arrivals.completed(job, task: 7, status: 507, problem: nil) == .failed(job, problem: "the server answered 507"))
      #expect(FileManager.default.fileExists(atPath: arrivals.shelf.place(of: job).path))
    }
  }

  /// A shelf that waits for the movie `bytes`, and a maker of files as the session hands them over.
  private func withArrivals(_ body: (Arrivals, (Data) throws -> URL) throws -> Void) async throws {
    try await withFolder { folder in
      let shelf = try Shelf(folder: URL(filePath: folder + "/Documents"))
      try shelf.change { _ = $0.learn([video(id, sha256: sha256)], alive: []) }
      try body(Arrivals(shelf: shelf)) { data in
        let location = URL(filePath: folder + "/\(UUID().uuidString).tmp")
        try data.write(to: location)
        return location
      }
    }
  }
}
