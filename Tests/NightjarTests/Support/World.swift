import Foundation
import struct FoundationNetworking.URLRequest
import NightjarWire
import Synchronization

@testable import Nightjar

/// An app's container and a hand-made daemon; links to it are lives of the app.
final class World: Sendable {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("nightjar-\(UUID().uuidString)").path
  let daemon: HandDaemon

  init(daemon: HandDaemon = HandDaemon()) {
    self.daemon = daemon
    try? FileManager.default.createDirectory(atPath: folder + "/staging", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var place: Place {
    Place(alone: folder)
  }

  /// Another life of the app in the same container. On a busy machine an answer may take long; a test that gets none
  /// says for how long it is waited for.
  func newLife(patience: Duration = .seconds(60)) -> Link {
    Link(place: place, transport: daemon, patience: patience)
  }

  /// Launches the app, and returns when it has heard all that the daemon has said of it: nothing of that is left to
  /// come in the next test, which has the same `UIApplication`.
  @MainActor
  func launch(_ delegate: some UIApplicationDelegate, link: Link) {
    AppLife.shared.launch(delegate, link: link)
    daemon.hush()
  }

  /// The session that tests use.
  func session(
    of link: Link, _ delegate: any URLSessionDelegate, identifier: String = "films",
    _ change: (URLSessionConfiguration) -> Void = { _ in }
  ) -> URLSession {
    let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
    change(configuration)
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil, link: link)
  }

  /// The seal on the app's resume data, as a life of its own has it.
  var seal: ResumeSeal { ResumeSeal(keptAt: place.resumeKey) }

  /// What resume data of the app says.
  func read(_ data: Data) throws -> ResumeData { try ResumeData(seal.opened(data) ?? Data()) }

  /// A finished file in the staging area, as the daemon tells of it.
  func stage(_ text: String, name: String = UUID().uuidString) throws -> AppInterface.StagedFile {
    let path = folder + "/staging/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let status = try OwnedDescriptor(opening: path, O_RDONLY).status()
    return AppInterface.StagedFile(
      path: path, size: Int64(status.st_size),
      modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec),
      inode: Int64(bitPattern: UInt64(status.st_ino)))
  }

  /// A download's good end.
  func end(
    _ number: Int64, task: Int, text: String, session: String = "films"
  ) throws -> AppInterface.Ended {
    AppInterface.Ended(
      number: number, session: session, task: Int64(task), count: Int64(text.utf8.count),
      expected: Int64(text.utf8.count), response: Self.response, file: try stage(text))
  }

  static let response = AppInterface.Response(
    url: "http://films.example/1", status: 200, headers: [WireHeader(name: "Content-Type", value: "video/mp4")])

  static let film = URL(string: "http://films.example/1")!
}

extension URLSession {
  /// The link of a background session.
  var link: Link {
    guard case .daemon(let link) = home else { preconditionFailure("a session in this process has no link") }
    return link
  }
}

extension URLRequest {
  /// A request as tests make it.
  static func post(_ url: URL = World.film) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    return request
  }
}

extension Call {
  /// The numbers that are acknowledged, if that is what is asked.
  var acknowledged: [Int64] {
    guard case .acknowledge(let asked) = self else { return [] }
    return asked.numbers
  }

  var isAcknowledgement: Bool { !acknowledged.isEmpty }
  var isEnqueue: Bool { enqueued != nil }
  var isFinish: Bool { if case .finishEvents = self { true } else { false } }
  var isOpening: Bool { if case .openSession = self { true } else { false } }
  var isListing: Bool { if case .listTasks = self { true } else { false } }
  var isCancel: Bool { if case .cancel = self { true } else { false } }
  var isDamage: Bool { if case .reportDamage = self { true } else { false } }
  var isClosing: Bool { if case .closeSession = self { true } else { false } }
  var isSuspension: Bool { if case .suspend = self { true } else { false } }
  var isResumption: Bool { if case .resume = self { true } else { false } }
}

extension Link {
  /// The process ends: nothing more is heard, and its locks go.
  func die() {
    _ = attach()  // So that no first attempt to dial is still to come.
    let (line, locks) = state.withLock { state in
      let locks = state.sessions.values.compactMap(\.folder?.lock)
      state.generation += 1
      (state.sessions, state.notices, state.phase) = ([:], NoticeBook(), .down)
      return (state.line, locks)
    }
    line?.hangUp()
    waitUntilFree(locks)
  }
}

/// A process that has ended holds no lock. Here whatever still goes on in its life holds them until it returns, and so
/// does a process that another test has just forked, until it executes its program.
private func waitUntilFree(_ locks: [String]) {
  let isFree = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    for path in locks {
      let file = open(path, O_RDWR | O_CLOEXEC)
      guard file >= 0 else { continue }
      flock(file, LOCK_EX)
      flock(file, LOCK_UN)  // For the copies, too, that processes have which were forked just now.
      close(file)
    }
    isFree.signal()
  }
  _ = isFree.wait(timeout: .now() + 10)
}
