import Foundation
import Testing
@testable import VideoFarmKit

struct LibraryTests {
  private let id = "0123456789abcdef"

  @Test func `what the server has and we have not is asked for once`() {
    var library = Library()
    let list = [video(id, sha256: "aa"), video("fedcba9876543210", sha256: nil)]

    let first = library.learn(list, alive: [])
    let second = library.learn(list, alive: Set(first))

    #expect(first == [.movie(id), .thumbnail(id)])
    #expect(second == [])
    #expect(library[.movie(id)]?.state == .wanted)
  }

  @Test func `what is here is not asked for again, what failed is`() {
    var library = Library()
    _ = library.learn([video(id, sha256: "aa")], alive: [])
    library.finish(.movie(id), sha256: "aa")
    library.fail(.thumbnail(id), "the server answered 500")

    #expect(library.learn([video(id, sha256: "aa")], alive: []) == [.thumbnail(id)])
  }

  @Test func `a movie that was replaced on the server is asked for again`() {
    var library = Library()
    _ = library.learn([video(id, sha256: "aa")], alive: [])
    library.finish(.movie(id), sha256: "aa")
    library.finish(.thumbnail(id), sha256: "bb")

    #expect(library.learn([video(id, sha256: "cc")], alive: []) == [.movie(id), .thumbnail(id)])
  }

  @Test func `an end that is told before the beginning is remembered stays the end`() {
    var library = Library()
    _ = library.learn([video(id, sha256: "aa")], alive: [])
    library.finish(.movie(id), sha256: "aa")
    library.begin(.movie(id), task: 7)

    #expect(library[.movie(id)]?.state == .there)
  }

  @Test func `the session is asked for its tasks only while there may be some`() {
    var library = Library()
    #expect(!library.mayHaveTasks)

    _ = library.learn([video(id, sha256: "aa")], alive: [])
    #expect(library.mayHaveTasks)

    library.finish(.movie(id), sha256: "aa")
    library.fail(.thumbnail(id), "the server answered 500")
    #expect(!library.mayHaveTasks)
  }

  @Test func `an upload that was prepared and not handed over is found again`() {
    var library = Library()
    library.prepare(upload: id, title: "Summer")
    #expect(library.forgottenUploads(alive: []) == [.upload(id)])
    #expect(library.forgottenUploads(alive: [.upload(id)]) == [])

    library.begin(.upload(id), task: 1)
    #expect(library.forgottenUploads(alive: []) == [])
  }

  @Test func `what is paused stays so, and goes on with what was kept when a person says so`() {
    var library = Library()
    _ = library.learn([video(id, sha256: "aa")], alive: [])
    library.begin(.movie(id), task: 7)

    let isPaused = library.pause(.movie(id))
    library.keep(Data([1]), of: .movie(id))
    let asked = library.learn([video(id, sha256: "aa")], alive: [])
    let (others, all) = (library.goOn(.video("another")), library.goOn(.all))

    #expect(isPaused && asked == [.thumbnail(id)] && others == [] && all == [.movie(id)])
    #expect(library[.movie(id)]?.state == .wanted && library[.movie(id)]?.resumeData == Data([1]))
    library.begin(.movie(id), task: 8)
    #expect(library[.movie(id)]?.resumeData == nil)
  }

  @Test func `what comes too late for a pause changes nothing`() {
    var library = Library()
    _ = library.learn([video(id, sha256: "aa")], alive: [])
    library.finish(.movie(id), sha256: "aa")

    let isPaused = library.pause(.movie(id))
    library.keep(Data([1]), of: .movie(id))

    #expect(!isPaused)
    #expect(library[.movie(id)]?.state == .there && library[.movie(id)]?.resumeData == nil)
  }

  @Test func `what failed and left something goes on with it`() {
    var library = Library()
    _ = library.learn([video(id, sha256: "aa")], alive: [])
    library.fail(.movie(id), "the disk is full", resumeData: Data([1]))

    let byHand = library.goOn(.video(id))
    library.fail(.movie(id), "the disk is full", resumeData: Data([2]))
    let asked = library.learn([video(id, sha256: "aa")], alive: [])

    #expect(byHand == [.movie(id)] && asked == [.movie(id), .thumbnail(id)])
    #expect(library[.movie(id)]?.resumeData == Data([2]))
  }

  @Test func `a movie that failed and left nothing is downloaded from its first byte when a person says so`() {
    var library = Library()
    _ = library.learn([video(id, sha256: "aa")], alive: [])
    library.begin(.movie(id), task: 7)
    library.fail(.movie(id), "the server answered 500")

    let jobs = library.goOn(.video(id))

    #expect(jobs == [.movie(id)])
    #expect(library[.movie(id)]?.state == .wanted && library[.movie(id)]?.isReplaced(7) == true)
  }

  @Test func `an upload that failed is sent again when a person says so, unless the server has the movie`() {
    var library = Library()
    library.prepare(upload: id, title: "Summer")
    let prepared = library[.upload(id)]
    library.fail(.upload(id), "the server answered 500")

    let (others, jobs) = (library.goOn(.video("another")), library.goOn(.all))
    let again = library[.upload(id)]
    library.fail(.upload(id), "the server answered 500")
    _ = library.learn([video(id, sha256: "aa")], alive: [])
    library.finish(.movie(id), sha256: "aa")
    let late = library.goOn(.all)

    #expect(others == [] && jobs == [.upload(id)] && again == prepared)
    #expect(late == [])
  }

  @Test(arguments: [Job.movie("a"), .thumbnail("b"), .upload("c")])
  func `a task's description tells what it is for`(job: Job) {
    #expect(Job(job.description) == job)
  }

  @Test(arguments: [nil, "", "movie", "film 1", "movie 1 2"])
  func `a description that is not ours is left alone`(description: String?) {
    #expect(Job(description) == nil)
  }

  @Test(arguments: [
    "", "../../../evil", "0123456789abcde", "0123456789abcdef0", "0123456789ABCDEF", "0123456789abcde/",
    "0123456789abcd..", "0123456789abcde\u{660}",
  ])
  func `an id that is none is refused before a file can be named after it`(id: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        FarmVideo.self,
        from: Data(#"{"id": "\#(id)", "title": "T", "state": "prepared", "links": {"movie": "/movie"}}"#.utf8))
    }
  }

  @Test func `orders are read in any order, and what means nothing is named`() {
    let orders = Orders(
      [
        "upload", "/a/b.mov", "Its title", "VIDEOFARM_SERVER=http://x", "download-all", "dance", "pause", "all",
        "resume",
        "7", "upload",
      ],
      environment: ["VIDEOFARM_SERVER": "http://y"])

    #expect(orders.server == "http://x")
    #expect(orders.downloadAll)
    #expect(orders.uploads == [.init(path: "/a/b.mov", title: "Its title")])
    #expect(orders.pauses == [.all] && orders.resumes == [.video("7")])
    #expect(orders.unknown == ["dance", "upload"])
  }

  @Test func `a video that is named and not here is known to be none`() {
    var library = Library()
    _ = library.learn([video(id, sha256: "aa")], alive: [])

    #expect(library.strangers(among: [.all, .video(id), .video("8")]) == ["8"])
  }

  @Test func `a launch without orders orders nothing`() {
    let orders = Orders([], environment: [:])

    #expect(orders == Orders([], environment: ["HOME": "/"]))
    #expect(orders.server == nil)
    #expect(!orders.downloadAll)
  }
}

func video(_ id: String, sha256: String?) -> FarmVideo {
  let movie = sha256.map { #""state": "stored", "size": 3, "sha256": "\#($0)","# } ?? #""state": "prepared","#
  let links = #""links": {"movie": "/videos/\#(id)/movie", "thumbnail": "/videos/\#(id)/thumbnail"}"#
  return try! JSONDecoder().decode(
    FarmVideo.self, from: Data(#"{"id": "\#(id)", "title": "T", \#(movie) \#(links)}"#.utf8))
}
