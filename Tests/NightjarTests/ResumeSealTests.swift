import Foundation
import NightjarWire
import ScriptedServer
import Synchronization
import TestThreads
import Testing

import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// An app takes no resume data but its own.
@Suite(.blocking) struct ResumeSealTests: LoopbackSuite {
  let world = World()
  /// Another app.
  private let stranger = World()
  private let text = Data("what an app keeps".utf8)

  private var key: String { world.place.resumeKey }

  @Test func `what is sealed is opened in every later life, and is no secret`() {
    let sealed = world.seal.sealed(text)

    #expect(world.seal.opened(sealed) == text && sealed.starts(with: text))
    #expect(sealed.count == text.count + ResumeSeal.codeBytes)
  }

  @Test func `what has any bit changed, or is cut off or lengthened at any byte, is not opened`() {
    let (seal, sealed) = (world.seal, world.seal.sealed(text))

    for place in sealed.indices {
      var changed = sealed
      changed[place] ^= 1 << UInt8(place % 8)
      #expect(seal.opened(changed) == nil && seal.opened(sealed.prefix(place)) == nil, "at byte \(place)")
      #expect(seal.opened(sealed.suffix(from: place + 1)) == nil, "at byte \(place)")
    }
    #expect(seal.opened(sealed + [UInt8(0)]) == nil && seal.opened(Data()) == nil)
  }

  @Test func `what another app has sealed is not opened`() {
    #expect(world.seal.opened(stranger.seal.sealed(text)) == nil)
  }

  /// How a file system gives a file a second name: as the one we are on, or not at all.
  private static func secondName(_ hasLinks: Bool) -> ResumeSeal.Linking {
    { file, name in
      guard !hasLinks else { return link(file, name) }
      errno = EPERM
      return -1
    }
  }

  @Test(arguments: [true, false])
  func `the key is for nobody else to read, and is made once, however many need it at once`(hasLinks: Bool) throws {
    let place = world.place
    let codes = Mutex<Set<Data>>([])

    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let seal = ResumeSeal(keptAt: place.resumeKey, secondName: Self.secondName(hasLinks))
      let sealed = seal.sealed(text)
      codes.withLock { _ = $0.insert(sealed) }
    }

    let status = try OwnedDescriptor(opening: key, O_RDONLY).status()
    #expect(codes.withLock { $0.count } == 1)
    #expect(status.st_mode & 0o777 == 0o600 && Int(status.st_size) == ResumeSeal.codeBytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.sessions) == ["resume-key"])
  }

  @Test func `a key that is none makes room for another`() throws {
    try FileManager.default.createDirectory(atPath: world.place.sessions, withIntermediateDirectories: true)
    try Data("short".utf8).write(to: URL(fileURLWithPath: key))

    let sealed = world.seal.sealed(text)

    #expect(world.seal.opened(sealed) == text)
  }

  @Test func `where no key can be kept, what is sealed serves for one life`() throws {
    try Data().write(to: URL(fileURLWithPath: world.place.sessions))  // No folder, and none can be made.
    let seal = world.seal

    let sealed = seal.sealed(text)

    #expect(seal.opened(sealed) == text && world.seal.opened(sealed) == nil)
  }

  @Test func `a key that cannot be read for a while is used once it can be, and what was sealed meanwhile is opened`()
    throws
  {
    let (before, seal) = (world.seal.sealed(text), world.seal)
    try FileManager.default.moveItem(atPath: key, toPath: key + ".away")
    try FileManager.default.createSymbolicLink(atPath: key, withDestinationPath: key + ".away")  // None is followed.
    let meanwhile = seal.sealed(text)
    try FileManager.default.removeItem(atPath: key)
    try FileManager.default.moveItem(atPath: key + ".away", toPath: key)

    #expect(meanwhile != before && world.seal.opened(meanwhile) == nil)
    #expect(seal.opened(before) == text && seal.opened(meanwhile) == text && seal.sealed(text) == before)
  }

  // MARK: Uploads of files that an app has not chosen

  /// Resume data that somebody else has made, of an upload of a file that is there.
  private func forgeries(to url: URL = World.film, _ seal: ResumeSeal) throws -> [Data] {
    let file = world.folder + "/secret"
    try Data("secret".utf8).write(to: URL(fileURLWithPath: file))
    let remnant = AppInterface.Remnant(token: String(repeating: "ab", count: 16), offset: 0)
    let forged = try #require(ResumeData.of(remnant, request: .post(url), file: file))
    let own = try #require(ResumeData.of(remnant, request: .post(url), file: world.folder + "/film"))
    let code = seal.sealed(own).suffix(ResumeSeal.codeBytes)
    return [forged, forged + Data(count: ResumeSeal.codeBytes), forged + code, stranger.seal.sealed(forged)]
  }

  @Test func `a background session sends no file for data that the app has not made`() throws {
    let (delegate, link) = (Recorder(), world.newLife())
    let session = world.session(of: link, delegate)
    let forgeries = try forgeries(link.seal)

    for data in forgeries { session.uploadTask(withResumeData: data).resume() }
    delegate.wait(for: forgeries.count)

    let errors = delegate.failures.compactMap { $0 as? URLError }
    #expect(errors.map(\.code) == Array(repeating: URLError.Code.cannotDecodeRawData, count: 4))
    #expect(
      errors.allSatisfy {
        $0.localizedDescription.contains("this app has not made it, an older version of Nightjar has, or it was")
      })
    #expect(world.daemon.enqueued.isEmpty)
  }

  @Test func `a session in this process sends none either`() async throws {
    try await withServer { server in
      for data in try forgeries(to: url("/upload/secret", server), Link.shared.seal) {
        let end = await Result { try await URLSession(configuration: .ephemeral).upload(resumeFrom: data) }

        #expect(try #require(throws: URLError.self) { try end.get() }.code == .cannotDecodeRawData)
      }
      #expect(server.requests("/upload/secret").isEmpty)
    }
  }
}
