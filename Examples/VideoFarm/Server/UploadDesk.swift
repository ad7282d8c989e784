import Glibc
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Synchronization

/// Uploads that can go on after a cut: begun, asked about, gone on with, and finished.
///
/// What was acknowledged outlives a restart of the farm and a power cut. An upload that nobody finishes goes after a
/// day.
final class UploadDesk: Sendable {
  private let store: VideoStore
  private let held = Mutex<[String: HeldUpload]>([:])

  init(store: VideoStore) { self.store = store }

  /// What one request brings.
  struct Delivery {
    let body: RequestBody
    /// Bytes that its head promises.
    let promised: Int?
    let pace: Pace<ContinuousClock>
    /// Whether it brings the last of the upload.
    let isLast: Bool
  }

  /// Begins an upload, before any byte of it is read. The turn is for what this request brings: whoever asks about the
  /// upload from now on takes it away.
  func begin(
    _ token: UploadToken, of video: VideoID, length: Int?, _ fields: HTTPFields
  ) async throws -> (Upload, turn: Int) {
    if let length, length > FarmLimits.movieSizeMax { throw MovieUpload.tooLarge }
    try await forgetOld()
    let file = try await NIOThreadPool.singleton.runIfActive { [store] in try store.folder.hold(video) }
    let upload = Upload(
      id: token.description, video: video, file: file.name, length: length, ifMatch: fields[.ifMatch],
      ifNoneMatch: fields[.ifNoneMatch], created: time(nil))
    let turn = file.claim()
    held.withLock { $0[upload.id] = file }  // First: whoever finds the upload finds this file, and no second one.
    do {
      try await store.catalog.add(upload)
    } catch {
      held.withLock { $0[upload.id] = nil }
      store.folder.drop(incoming: upload.file)
      throw error
    }
    return (upload, turn)
  }

  /// An upload, and how many bytes of it are safe. Whoever was appending to it does so no more.
  func inquire(_ token: UploadToken) async throws -> (upload: Upload, offset: Int) {
    let upload = try await known(token)
    if upload.isComplete { return (upload, upload.length ?? 0) }
    let file = try await file(of: upload)
    _ = file.claim()
    let offset = try await NIOThreadPool.singleton.runIfActive { try file.settle() }
    guard !file.isTaken else { throw Refusal.uploadKept }
    return (upload, offset)
  }

  /// Takes what a request brings, on a turn that it has or claims now. The stored video once the whole is there, and
  /// whether it replaced another; nil before.
  func append(
    _ delivery: Delivery, to upload: Upload, at offset: Int, turn: Int? = nil
  ) async throws -> (Video, replaced: Bool)? {
    let file = try await file(of: upload)
    let turn = turn ?? file.claim()
    guard file.size == offset else { throw Refusal.mismatchingOffset(expected: file.size, provided: offset) }
    if offset > 0 { store.tell(.resumed(upload.video.description, at: offset)) }
    var reached = offset  // By this request; a later one may have claimed the file and gone on since.
    do {
      try await pour(delivery, into: file, turn, length: upload.length, &reached)
      if !delivery.isLast { _ = try await NIOThreadPool.singleton.runIfActive { try file.settle() } }
    } catch {
      store.tell(.paused(upload.video.description, at: reached))
      throw error
    }
    guard delivery.isLast else { return nil }
    return try await finish(upload, file, turn)
  }

  /// Forgets an upload with all that came of it, unless a request finishes it just now.
  func cancel(_ token: UploadToken) async throws {
    let upload = try await known(token)
    guard drop(upload) else { throw Refusal.uploadClaimed }
    try await store.catalog.forget(upload)
  }

  func known(_ token: UploadToken) async throws -> Upload {
    guard let upload = try await store.catalog.upload(token), upload.created >= Self.oldest else {
      throw Self.unknown
    }
    return upload
  }

  static let unknown = Refusal(.notFound, "no-such-upload", "The farm keeps no such upload; begin again.")

  private static var oldest: Int { time(nil) - FarmLimits.uploadAgeMax }

  private func file(of upload: Upload) async throws -> HeldUpload {
    if let known = held.withLock({ $0[upload.id] }) { return known }
    let found: HeldUpload
    do {
      found = try await NIOThreadPool.singleton.runIfActive { [store] in try store.folder.resume(upload.file) }
    } catch let error as DiskError where error.number == ENOENT {
      try await store.catalog.forgetUnfinished(upload)  // The farm ended just as the movie was kept.
      throw Self.unknown
    }
    return held.withLock { held in
      let first = held[upload.id] ?? found  // Two requests may have looked at once.
      held[upload.id] = first
      return first
    }
  }

  private func pour(
    _ delivery: Delivery, into file: HeldUpload, _ turn: Int, length: Int?, _ reached: inout Int
  ) async throws {
    var (pace, received) = (delivery.pace, 0)
    for try await bytes in delivery.body {
      received += bytes.readableBytes
      let most = length ?? FarmLimits.movieSizeMax
      guard file.size + bytes.readableBytes <= most else { throw Refusal.inconsistentLength(most) }
      guard let size = try await NIOThreadPool.singleton.runIfActive({ try file.append(bytes, turn: turn) }) else {
        throw Self.refusal(of: file)
      }
      reached = size
      try await pace.pause(after: bytes.readableBytes)
    }
    if let promised = delivery.promised, promised != received {
      throw Refusal(.badRequest, "movie-cut", "The request ended after \(received) of \(promised) bytes.")
    }
    if delivery.isLast, let length, length != file.size { throw Refusal.inconsistentLength(length) }
  }

  /// Why a request may not append to an upload that was its own.
  private static func refusal(of file: HeldUpload) -> Refusal { file.isTaken ? .uploadKept : .uploadClaimed }

  private func finish(_ upload: Upload, _ file: HeldUpload, _ turn: Int) async throws -> (Video, replaced: Bool) {
    guard let intake = try await NIOThreadPool.singleton.runIfActive({ try file.intake(turn: turn) }) else {
      throw Self.refusal(of: file)
    }
    let replaced: Bool
    do {
      replaced = try await store.keep(intake, of: upload.video, if: upload.conditions)
    } catch {
      store.folder.drop(intake)
      held.withLock { $0[upload.id] = nil }
      try? await store.catalog.forget(upload)  // If not, whoever asks next finds no file, and forgets it.
      throw error
    }
    await note(upload, size: intake.size)
    held.withLock { $0[upload.id] = nil }
    return (try await store.video(upload.video), replaced)
  }

  /// Remembers that the movie is stored, for a client that loses the answer. Stored it is in any case: where this
  /// cannot be remembered, that client is told that there is no such upload, and begins again.
  private func note(_ upload: Upload, size: Int) async {
    var complete = upload
    (complete.isComplete, complete.length) = (true, size)
    try? await store.catalog.update(complete)
  }

  /// Removes the file of an upload; false if that is another request's to do, which keeps it just now.
  private func drop(_ upload: Upload) -> Bool {
    guard held.withLock({ $0[upload.id] })?.seize() ?? true else { return false }
    if !upload.isComplete { store.folder.drop(incoming: upload.file) }
    held.withLock { $0[upload.id] = nil }
    return true
  }

  private func forgetOld() async throws {
    for upload in try await store.catalog.forgetUploads(before: Self.oldest) { _ = drop(upload) }
  }
}

extension Refusal {
  static let uploadClaimed = Refusal(.conflict, "upload-claimed", "Another request goes on with this upload.")

  /// A conflict would have the client begin again.
  static let uploadKept = Refusal(
    .serviceUnavailable, "upload-kept", "The farm has this upload whole and is storing it; ask again.",
    headers: [.retryAfter: "1"])

  static func mismatchingOffset(expected: Int, provided: Int) -> Refusal {
    Refusal(
      .conflict, "mismatching-offset", "The upload has \(expected) bytes; go on there, not at \(provided).",
      headers: [.uploadOffset: "\(expected)", .uploadComplete: "?0"])
  }

  static func inconsistentLength(_ length: Int) -> Refusal {
    Refusal(.badRequest, "inconsistent-length", "The upload was said to have \(length) bytes.")
  }
}
