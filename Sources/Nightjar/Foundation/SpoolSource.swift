import Foundation

/// What an upload of a background session sends that is in no file of the app's.
enum SpoolSource: Sendable {
  case data(Data)
  /// From a stream that the delegate is asked for.
  case stream
}

/// Where such bytes wait until the daemon has sent them: a file in the session's folder for each task.
///
/// The file is synced before the task is queued, so the upload survives like one from a file of the app's own. It goes
/// when the end of the task has been acknowledged; what a crash leaves behind goes when the session's tasks are known.
/// Of a task that has left resume data it is kept for as long as the daemon keeps what it needs.
struct Spool: Sendable {
  let folder: String

  /// Why an upload's bytes could not be kept.
  enum Trouble: Error {
    case disk(FileTrouble)
    case noStream
    case stream(String)
    /// The upload was cancelled meanwhile.
    case unwanted

    var failure: SessionFailure {
      switch self {
      case .disk(let why):
        SessionFailure(.cannotWriteToFile, "the upload's data cannot be kept until it is sent: \(why)")
      case .noStream: SessionFailure(.requestBodyStreamExhausted, "the delegate gave no stream for the upload")
      case .stream(let why): SessionFailure(.requestBodyStreamExhausted, "the upload's stream cannot be read: \(why)")
      case .unwanted: SessionFailure(.cancelled, "cancelled")
      }
    }
  }

  /// The file of a task.
  func path(ofTask task: Int) -> String { folder + "/\(task)" }

  /// Whether a path is one of ours.
  func holds(_ path: String) -> Bool { path.hasPrefix(folder + "/") }

  /// Writes data down; when this returns it survives a power cut.
  func write(_ data: Data, ofTask task: Int) throws(Trouble) {
    try filling(task) { (file) throws(Trouble) in try file.writing(data, at: 0) }
  }

  /// Reads a stream to its end and writes it down, for as long as that is wanted: it may have no end.
  func write(_ stream: InputStream, ofTask task: Int, while isWanted: () -> Bool) throws(Trouble) {
    stream.open()
    defer { stream.close() }
    try filling(task) { (file) throws(Trouble) in
      var chunk = [UInt8](repeating: 0, count: LinkLimits.chunkBytes)
      var done = 0
      while isWanted() {
        let count = stream.read(&chunk, maxLength: chunk.count)
        guard count >= 0 else { throw .stream("\(stream.streamError.map { "\($0)" } ?? "it failed")") }
        if count == 0, isWanted() { return }
        try file.writing(chunk[..<count], at: done)
        done += count
      }
      throw .unwanted
    }
  }

  /// Whether a path is one of ours that is kept for a task that may go on with it.
  func isKept(_ path: String) -> Bool { holds(path) && path.hasSuffix(Self.keptSuffix) }

  /// Keeps a file, if it is one of ours, for a task that may go on with it: it has another name from now on, and is not
  /// swept away with its task. Done before, it only begins the file's time anew, as the daemon does with what it keeps.
  ///
  /// - Returns: Where the file is now.
  func keep(_ path: String) -> String {
    guard holds(path) else { return path }
    let kept = isKept(path) ? path : renamed(path)
    KeptFile(path: kept).renew()
    return kept
  }

  private func renamed(_ path: String) -> String {
    let kept = path + Self.keptSuffix
    if rename(path, kept) == 0, let names = try? OwnedDescriptor(opening: folder, O_RDONLY | O_DIRECTORY) {
      _ = fsync(names.raw)
    }
    return kept
  }

  /// Removes what belongs to none of these tasks, by their numbers and by the files they send, and what was kept for
  /// too long.
  func sweep(keeping tasks: Set<Int>, _ files: Set<String>) {
    let now = time(nil)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let path = folder + "/" + name
      let isWanted = isKept(path) ? !KeptFile(path: path).isOver(at: now) : Int(name).map(tasks.contains) ?? false
      if !isWanted, !files.contains(path) { unlink(path) }
    }
  }

  private static let keptSuffix = ".kept"

  /// Makes the file, lets it be filled, and syncs it and its name; nothing is left of one that could not be.
  private func filling(_ task: Int, _ fill: (OwnedDescriptor) throws(Trouble) -> Void) throws(Trouble) {
    let path = path(ofTask: task)
    do throws(Trouble) {
      let file = try Self.made(path, in: folder)
      try fill(file)
      try Self.settled(file, in: folder)
    } catch {
      unlink(path)
      throw error
    }
  }

  private static func made(_ path: String, in folder: String) throws(Trouble) -> OwnedDescriptor {
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    do throws(FileTrouble) {
      return try OwnedDescriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
    } catch { throw .disk(error) }
  }

  private static func settled(_ file: OwnedDescriptor, in folder: String) throws(Trouble) {
    do throws(FileTrouble) {
      try file.sync()
      let names = try OwnedDescriptor(opening: folder, O_RDONLY | O_DIRECTORY)
      guard fsync(names.raw) == 0 else { throw FileTrouble("sync", folder) }
    } catch { throw .disk(error) }
  }
}

extension OwnedDescriptor {
  fileprivate func writing(_ bytes: some Collection<UInt8>, at offset: Int) throws(Spool.Trouble) {
    do throws(FileTrouble) { try write(bytes, at: offset) } catch { throw .disk(error) }
  }
}
