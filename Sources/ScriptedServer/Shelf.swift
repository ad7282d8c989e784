import Synchronization

/// The unfinished uploads of a server, by the path of their resource.
final class Shelf: Sendable {
  /// One upload.
  struct Upload {
    /// Where it was begun.
    let path: String
    let collecting: Collecting
    let length: Int64?
    var count: Int64 = 0
    var digest = SHA256()
    var isComplete = false
    /// The number of the request that may append; a later one supersedes an earlier one.
    var turn = 0
  }

  private struct Memory {
    var uploads: [String: Upload] = [:]
    var mishaps: [String: Int] = [:]
    var last = 0
  }

  private let memory = Mutex(Memory())

  static let folder = "/uploads/"

  /// Creates an upload; returns the path of its resource.
  func begin(_ path: String, _ collecting: Collecting, length: Int64?) -> String {
    memory.withLock { memory in
      memory.last += 1
      let resource = "\(Self.folder)\(memory.last)"
      memory.uploads[resource] = Upload(path: path, collecting: collecting, length: length)
      return resource
    }
  }

  subscript(resource: String) -> Upload? { memory.withLock { $0.uploads[resource] } }

  func forget(_ resource: String) { memory.withLock { $0.uploads[resource] = nil } }

  /// The mishap of the next request about an upload that was created at a path.
  func mishap(_ path: String, of collecting: Collecting) -> Collecting.Mishap {
    memory.withLock { memory in
      let time = memory.mishaps[path, default: 0]
      memory.mishaps[path] = time + 1
      return time < collecting.mishaps.count ? collecting.mishaps[time] : .none
    }
  }

  /// Gives a request the right to append, and takes it from the previous one.
  func take(_ resource: String) -> Int {
    memory.withLock { memory in
      memory.uploads[resource]?.turn += 1
      return memory.uploads[resource]?.turn ?? 0
    }
  }

  /// Appends; false if it is no longer this request's turn.
  func append(_ bytes: some Collection<UInt8>, count: Int, to resource: String, turn: Int) -> Bool {
    memory.withLock { memory in
      guard var upload = memory.uploads[resource], upload.turn == turn, !upload.isComplete else { return false }
      upload.digest.update(bytes)
      upload.count += Int64(count)
      memory.uploads[resource] = upload
      return true
    }
  }

  /// Marks an upload as complete; nil if it is no longer this request's turn.
  func complete(_ resource: String, turn: Int) -> Upload? {
    memory.withLock { memory in
      guard var upload = memory.uploads[resource], upload.turn == turn, !upload.isComplete else { return nil }
      upload.isComplete = true
      memory.uploads[resource] = upload
      return upload
    }
  }
}
