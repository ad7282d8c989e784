import Foundation
import Testing

import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// What iOS refuses with an exception ends the process with the same words.
@Suite struct MisuseTests {
  /// What cannot be asked of a background session, since its answer would not outlive the process.
  enum Awaited: String, CaseIterable, Codable {
    case dataOfURL, data, download, downloadOfURL, downloadResumed, uploadOfData, uploadOfFile, uploadResumed
    case awaitedDataOfURL, awaitedData, awaitedDownload, awaitedDownloadOfURL, awaitedDownloadResumed
    case awaitedUploadOfData, awaitedUploadOfFile, awaitedUploadResumed

    func ask(_ session: URLSession) async throws {
      switch self {
      case .dataOfURL: _ = session.dataTask(with: World.film) { _, _, _ in }
      case .data: _ = session.dataTask(with: URLRequest(url: World.film)) { _, _, _ in }
      case .download: _ = session.downloadTask(with: URLRequest(url: World.film)) { _, _, _ in }
      case .downloadOfURL: _ = session.downloadTask(with: World.film) { _, _, _ in }
      case .downloadResumed: _ = session.downloadTask(withResumeData: Data()) { _, _, _ in }
      case .uploadOfData: _ = session.uploadTask(with: .post(), from: Data()) { _, _, _ in }
      case .uploadOfFile: _ = session.uploadTask(with: .post(), fromFile: MisuseTests.file) { _, _, _ in }
      case .uploadResumed: _ = session.uploadTask(withResumeData: Data()) { _, _, _ in }
      case .awaitedDataOfURL: _ = try await session.data(from: World.film)
      case .awaitedData: _ = try await session.data(for: URLRequest(url: World.film))
      case .awaitedDownload: _ = try await session.download(for: URLRequest(url: World.film))
      case .awaitedDownloadOfURL: _ = try await session.download(from: World.film)
      case .awaitedDownloadResumed: _ = try await session.download(resumeFrom: Data())
      case .awaitedUploadOfData: _ = try await session.upload(for: .post(), from: Data())
      case .awaitedUploadOfFile: _ = try await session.upload(for: .post(), fromFile: MisuseTests.file)
      case .awaitedUploadResumed: _ = try await session.upload(resumeFrom: Data())
      }
    }
  }

  @Test(arguments: Awaited.allCases)
  func `completion handlers are refused, and so is waiting`(awaited: Awaited) async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [awaited = awaited as Awaited] in
      try await awaited.ask(Self.session())
    }
    #expect(Self.words(of: end).contains("Completion handler blocks are not supported in background sessions."))
  }

  @Test func `a program registers before it uses anything else, but may load things itself and see how power stands`()
    async
  {
    await #expect(processExitsWith: .success) {
      _ = ProcessInfo.processInfo.isLowPowerModeEnabled
      _ = URLSession(configuration: .ephemeral).seal.sealed(Data("what a failed download leaves".utf8))
      NightjarProgram.register(name: "mirror")
    }
    await #expect(processExitsWith: .failure) {
      _ = Link.shared
      NightjarProgram.register(name: "mirror")
    }
  }

  @Test(arguments: ["Films.AppDelegate", nil]) func `an app without a delegate's class is refused`(name: String?) async
  {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [name = name as String?] in
      _ = await UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, name)
    }
    #expect(Self.words(of: end).contains("No class named \(name ?? "(null)") is loaded"))
  }

  @Test func `a file that cannot be read is refused`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.session().uploadTask(with: .post(), fromFile: URL(fileURLWithPath: "/nothing/here"))
    }
    #expect(Self.words(of: end).contains("Cannot read file at file:///nothing/here"))
  }

  /// The forms that make a task of a request.
  enum Form: String, CaseIterable, Codable {
    case download, downloadOfURL, data, dataOfURL, uploadOfFile, uploadOfData, uploadOfStream

    var deed: String {
      switch self {
      case .download, .downloadOfURL, .data, .dataOfURL: "downloads"
      case .uploadOfFile, .uploadOfData, .uploadOfStream: "uploads"
      }
    }

    func ask(_ session: URLSession, for url: URL) {
      switch self {
      case .download: _ = session.downloadTask(with: URLRequest(url: url))
      case .downloadOfURL: _ = session.downloadTask(with: url)
      case .data: _ = session.dataTask(with: URLRequest(url: url))
      case .dataOfURL: _ = session.dataTask(with: url)
      case .uploadOfFile: _ = session.uploadTask(with: .post(url), fromFile: MisuseTests.file)
      case .uploadOfData: _ = session.uploadTask(with: .post(url), from: Data())
      case .uploadOfStream: _ = session.uploadTask(withStreamedRequest: .post(url))
      }
    }
  }

  @Test(arguments: Form.allCases)
  func `schemes other than HTTP are refused`(form: Form) async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [form = form as Form] in
      form.ask(Self.session(), for: URL(string: "ftp://films.example/1")!)
    }
    let words = "Invalid URL scheme for background \(form.deed): ftp. Valid schemes are http or https"
    #expect(Self.words(of: end).contains(words))
  }

  @Test(arguments: Form.allCases)
  func `a URL without a scheme is refused`(form: Form) async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [form = form as Form] in
      form.ask(Self.session(), for: URL(string: "films.example/1")!)
    }
    #expect(Self.words(of: end).contains("Invalid URL scheme for background \(form.deed): (null)."))
  }

  /// The forms that load into memory with nobody but the process to hand it to.
  enum InMemory: String, CaseIterable, Codable {
    case bytes, bytesOfURL

    func ask(_ session: URLSession) async throws {
      switch self {
      case .bytes: _ = try await session.bytes(for: URLRequest(url: World.film))
      case .bytesOfURL: _ = try await session.bytes(from: World.film)
      }
    }
  }

  @Test(arguments: InMemory.allCases)
  func `loading into memory is refused`(form: InMemory) async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [form = form as InMemory] in
      try await form.ask(Self.session())
    }
    #expect(Self.words(of: end).contains("Data tasks are not supported in background sessions."))
  }

  @Test func `an empty identifier is refused`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let world = World()
      _ = world.session(of: world.newLife(), Recorder(), identifier: "")
    }
    #expect(Self.words(of: end).contains("The identifier of a background session must not be empty."))
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

  /// A file that can be read.
  private static let file = URL(fileURLWithPath: "/dev/null")

  private static func session() -> URLSession {
    let world = World()
    return world.session(of: world.newLife(), Recorder())
  }

  private static func words(of end: ExitTest.Result?) -> String {
    String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
  }
}
