import NightjarCore
import NightjarModel

/// The world's transfer engine: the attempts under way, and the files in the staging area.
struct Engine: Sendable {
  /// One attempt under way.
  struct Attempt: Sendable {
    var number: Int
    var host: String
    var isLocal: Bool
    var request: TransferRequest
    var offset: Int64
    var length: Int64
    /// The questions that it may ask.
    var asks = Asks.nothing
    /// The answers to its questions.
    var answers: [Answered] = []
    /// Whether it has fallen silent: it reports nothing any more.
    var isSilent = false
  }

  /// A file in the staging area.
  struct Staged: Sendable {
    var file: StagedFile
    var isDamaged: Bool
  }

  /// The attempts that were not stopped and have not ended.
  private(set) var attempts: [TransferID: Attempt] = [:]
  private(set) var runningOfHost: [String: Int] = [:]
  var staged: [TransferID: Staged] = [:]
  /// How many bytes of unfinished downloads are safe.
  var parts: [TransferID: Int64] = [:]
  /// Downloads that were begun again, so that fewer bytes may be there than is remembered.
  var begunAgain: Set<TransferID> = []
  /// Files at their destinations, and whose they are.
  var destinations: [String: TransferID] = [:]
  private var inode: UInt64 = 0

  var running: Int { attempts.count }

  mutating func begin(_ id: TransferID, _ attempt: Attempt) {
    attempts[id] = attempt
    runningOfHost[attempt.host, default: 0] += 1
  }

  @discardableResult
  mutating func end(_ id: TransferID) -> Attempt? {
    guard let attempt = attempts.removeValue(forKey: id) else { return nil }
    runningOfHost[attempt.host]! -= 1
    return attempt
  }

  mutating func change(_ id: TransferID, _ change: (inout Attempt) -> Void) {
    if attempts[id] != nil { change(&attempts[id]!) }
  }

  /// Stores a finished file.
  mutating func stage(_ id: TransferID, size: Int64, isDamaged: Bool) -> StagedFile {
    inode += 1
    let file = StagedFile(path: "/staging/\(id)", stamp: FileStamp(size: size, modified: 7, inode: inode))
    staged[id] = Staged(file: file, isDamaged: isDamaged)
    parts[id] = size
    return file
  }

  /// The daemon is gone, and every attempt with it; files stay.
  mutating func die() { (attempts, runningOfHost) = ([:], [:]) }

  /// Removes the files of forgotten transfers.
  mutating func sweep(_ isRemembered: (TransferID) -> Bool) {
    for id in staged.keys.sorted() where !isRemembered(id) { staged[id] = nil }
    for id in parts.keys.sorted() where !isRemembered(id) { parts[id] = nil }
  }
}
