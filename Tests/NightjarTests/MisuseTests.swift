import Foundation
import Testing

import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// What iOS refuses with an exception ends the process with the same words.
@Suite struct MisuseTests {
  @Test func `completion handlers are refused`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.session().downloadTask(with: World.film) { _, _, _ in }
    }
    #expect(Self.words(of: end).contains("Completion handler blocks are not supported in background sessions."))
  }

  @Test func `completion handlers are refused with resume data, too`() async {
    let download = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.session().downloadTask(withResumeData: Data()) { _, _, _ in }
    }
    let upload = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.session().uploadTask(withResumeData: Data()) { _, _, _ in }
    }
    for end in [download, upload] {
      #expect(Self.words(of: end).contains("Completion handler blocks are not supported in background sessions."))
    }
  }

  @Test func `a file that cannot be read is refused`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.session().uploadTask(with: .post(), fromFile: URL(fileURLWithPath: "/nothing/here"))
    }
    #expect(Self.words(of: end).contains("Cannot read file at file:///nothing/here"))
  }

  @Test func `schemes other than HTTP are refused`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.session().downloadTask(with: URL(string: "ftp://films.example/1")!)
    }
    let words = "Invalid URL scheme for background downloads: ftp. Valid schemes are http or https"
    #expect(Self.words(of: end).contains(words))
  }

  @Test func `data tasks are refused`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.session().dataTask(with: World.film)
    }
    #expect(Self.words(of: end).contains("Data tasks are not supported in background sessions."))
  }

  @Test func `a session without a delegate is refused`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = URLSession(configuration: .background(withIdentifier: "films"))
    }
    #expect(Self.words(of: end).contains("Background sessions need a delegate"))
  }

  @Test func `tasks of an invalidated session are refused`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let session = Self.session()
      session.invalidateAndCancel()
      _ = session.downloadTask(with: World.film)
    }
    #expect(Self.words(of: end).contains("Task created in a session that has been invalidated"))
  }

  private static func session() -> URLSession {
    let world = World()
    return world.session(of: world.newLife(), Recorder())
  }

  private static func words(of end: ExitTest.Result?) -> String {
    String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
  }
}
