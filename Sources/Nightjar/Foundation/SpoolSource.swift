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
struct Spool: Sendable {
  let folder: String

  /// Why an upload's bytes could not be kept.
  enum Trouble: Error {
    case disk(FileTrouble)
    case noStream
    case stream(String)

    var failure: SessionFailure {
      switch self {
      case .disk(let why):
        SessionFailure(.cannotWriteToFile, "the upload's data cannot be kept until it is sent: \(why)")
      case .noStream: SessionFailure(.requestBodyStreamExhausted, "the delegate gave no stream for the upload")
      case .stream(let why): SessionFailure(.requestBodyStreamExhausted, "the upload's stream cannot be read: \(why)")
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

  /// Reads a stream to its end and writes it down.
  func write(_ stream: InputStream, ofTask task: Int) throws(Trouble) {
    stream.open()
    defer { stream.close() }
    try filling(task) { (file) throws(Trouble) in
      var chunk = [UInt8](repeating: 0, count: LinkLimits.chunkBytes)
      var done = 0
      while true {
        let count = stream.read(&chunk, maxLength: chunk.count)
        guard count >= 0 else { throw .stream("\(stream.streamError.map { "\($0)" } ?? "it failed")") }
        guard count > 0 else { return }
        try file.writing(chunk[..<count], at: done)
        done += count
      }
    }
  }

  /// Removes what belongs to none of these tasks.
  func sweep(keeping tasks: Set<Int>) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      if Int(name).map({ !tasks.contains($0) }) ?? true { unlink(folder + "/" + name) }
    }
  }

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
