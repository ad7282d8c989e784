import NIOCore
import NIOHTTP1

/// Handles one request of a resumable upload: its creation, the query of its offset, or an appended part.
final class Clerk {
  private enum Errand { case create, inquire, append, ordinary, done }

  private let shelf: Shelf
  private let collecting: Collecting
  private let head: HTTPRequestHead
  private let mishap: Collecting.Mishap
  private let path: String
  private var resource: String?
  private var errand = Errand.done
  private var turn = 0
  private var taken: Int64 = 0
  private var informed: Int64 = 0
  private var voice: Voice

  /// A clerk for a request to a path where uploads are created, or to an upload's own resource.
  init(_ head: HTTPRequestHead, begin collecting: Collecting?, shelf: Shelf, voice: Voice) {
    let known = collecting == nil ? shelf[head.uri] : nil
    (self.head, self.shelf, self.voice) = (head, shelf, voice)
    self.collecting = collecting ?? known?.collecting ?? Collecting()
    path = known?.path ?? head.uri
    mishap = shelf.mishap(path, of: self.collecting)
    collecting == nil ? visit(known) : create()
  }

  /// Bytes that are read per second; nil for no limit.
  var speed: Int64? { collecting.speed }

  /// Handles a part of the request's body.
  func receive(_ bytes: ByteBuffer) {
    var bytes = bytes
    if let limit = cutLimit, taken + Int64(bytes.readableBytes) > limit {
      bytes = bytes.readSlice(length: Int(limit - taken)) ?? ByteBuffer()
    }
    taken += Int64(bytes.readableBytes)
    guard errand != .done else { return }
    guard let resource, shelf.append(bytes.readableBytesView, count: bytes.readableBytes, to: resource, turn: turn)
    else { return voice.close() }
    inform(resource)
    if let limit = cutLimit, taken >= limit { voice.close() }
  }

  /// Answers. A completed upload is remembered before, since a test may look for it as soon as it has the answer.
  func finish(connection: Int, remember: (SeenRequest) -> Void) {
    guard errand != .done, let resource else { return }
    defer { errand = .done }
    if cutLimit != nil { return voice.close() }
    guard errand == .ordinary || isWhole else { return mishap == .swallow ? voice.close() : accept(resource) }
    guard let upload = shelf.complete(resource, turn: turn) else { return voice.close() }
    remember(seen(upload, connection: connection))
    tellOutcome(resource, upload)
  }

  private func seen(_ upload: Shelf.Upload, connection: Int) -> SeenRequest {
    let digest = upload.digest
    var seen = SeenRequest(method: head.method.rawValue, target: path, headers: [:], connection: connection)
    (seen.bodyLength, seen.bodyDigest) = (upload.count, digest.hex())
    return seen
  }

  private var cutLimit: Int64? {
    switch mishap {
    case .cut(let after), .cutUninformed(let after): after
    case .none, .swallow, .refuse, .forget, .claim, .silentOffset, .outcome: isTooMuch ? collecting.appendMax : nil
    }
  }

  /// Whether the request announces more than the limit.
  private var isTooMuch: Bool {
    guard let most = collecting.appendMax, errand != .ordinary else { return false }
    return field("Content-Length").flatMap(Int64.init) ?? 0 > most
  }
}

// MARK: - What is asked

extension Clerk {
  private func field(_ name: String) -> String? { head.headers.first(name: name) }

  private var isWhole: Bool {
    collecting.version >= 5 ? field("Upload-Complete") == "?1" : field("Upload-Incomplete") == "?0"
  }

  private var length: Int64? {
    field("Upload-Length").flatMap(Int64.init) ?? (isWhole ? field("Content-Length").flatMap(Int64.init) : nil)
  }

  private func create() {
    let asked = field("Upload-Draft-Interop-Version")
    let isOrdinary = asked == nil || asked != "\(collecting.version)" && collecting.ignoresOtherVersions
    if case .refuse(let status, let headers) = mishap { return answer(status, headers.map { ($0.key, $0.value) }) }
    if !isOrdinary, asked != "\(collecting.version)" { return answer(400, []) }
    let size = field("Content-Length").flatMap(Int64.init) ?? 0
    if !isOrdinary, !collecting.announcesLimit, let most = collecting.appendMax, size > most {
      return answer(413, limits)
    }
    let resource = shelf.begin(path, collecting, length: length)
    (self.resource, errand, turn) = (resource, isOrdinary ? .ordinary : .create, shelf.take(resource))
    if case .cutUninformed = mishap { return }
    if !isOrdinary, collecting.informs { voice.head(104, version + location(resource) + limits) }
  }

  private func visit(_ upload: Shelf.Upload?) {
    guard let upload, mishap != .forget else {
      shelf.forget(head.uri)
      return answer(404, [])
    }
    resource = head.uri
    if case .refuse(let status, let headers) = mishap { return answer(status, headers.map { ($0.key, $0.value) }) }
    turn = shelf.take(head.uri)
    head.method == .HEAD ? inquire(upload) : append(to: upload)
  }

  private func inquire(_ upload: Shelf.Upload) {
    let isUpload = collecting.version >= 5
    let complete = (isUpload ? "Upload-Complete" : "Upload-Incomplete", upload.isComplete == isUpload ? "?1" : "?0")
    let length = upload.length.map { [("Upload-Length", "\($0)")] } ?? []
    answer(204, offset(upload) + [complete, ("Cache-Control", "no-store")] + length + limits)
  }

  private func append(to upload: Shelf.Upload) {
    let type = field("Content-Type")
    guard collecting.version < 6 || type == "application/partial-upload" else { return answer(415, []) }
    if upload.isComplete { return answer(400, []) }
    if case .claim = mishap { return answer(409, offset(upload)) }
    guard field("Upload-Offset") == "\(upload.count)" else { return answer(409, offset(upload)) }
    let size = field("Content-Length").flatMap(Int64.init) ?? 0
    if let most = collecting.appendMax, size > most { return answer(413, limits) }
    errand = .append
  }
}

// MARK: - What is answered

extension Clerk {
  private var version: [(String, String)] { [("Upload-Draft-Interop-Version", "\(collecting.version)")] }
  private var limits: [(String, String)] {
    collecting.appendMax.map { [("Upload-Limit", "max-size=1000000000, max-append-size=\($0)")] } ?? []
  }

  private func location(_ resource: String) -> [(String, String)] {
    [("Location", (collecting.elsewhere ?? "") + resource)]
  }

  private func offset(_ upload: Shelf.Upload) -> [(String, String)] {
    switch mishap {
    case .claim(let offset): [("Upload-Offset", "\(offset)")]
    case .silentOffset: []
    case .none, .cut, .cutUninformed, .swallow, .refuse, .forget, .outcome: [("Upload-Offset", "\(upload.count)")]
    }
  }

  private func inform(_ resource: String) {
    guard let step = collecting.informsEvery, errand != .ordinary, taken - informed >= step,
      let count = shelf[resource]?.count
    else { return }
    informed = taken
    voice.head(104, version + [("Upload-Offset", "\(count)")])
  }

  /// Answers that a part was accepted and more is expected.
  private func accept(_ resource: String) {
    let incomplete = collecting.version >= 5 ? ("Upload-Complete", "?0") : ("Upload-Incomplete", "?1")
    let isNew = errand == .create
    let place = isNew ? location(resource) + limits : []
    let offset = collecting.version >= 8 ? [] : [("Upload-Offset", "\(shelf[resource]?.count ?? 0)")]
    answer(isNew ? 201 : 204, [incomplete] + place + offset)
  }

  private func tellOutcome(_ resource: String, _ upload: Shelf.Upload) {
    if mishap == .swallow { return voice.close() }
    var (status, fields) = (200, [String: String]())
    if case .outcome(let other, let headers) = mishap { (status, fields) = (other, headers) }
    let complete = collecting.version >= 5 ? [("Upload-Complete", "?1")] : [("Upload-Incomplete", "?0")]
    answer(status, (errand == .ordinary ? [] : complete) + fields.map { ($0.key, $0.value) }, body: "taken")
  }

  private func answer(_ status: Int, _ fields: [(String, String)], body: String = "") {
    errand = .done
    let length = status == 204 ? [] : [("Content-Length", "\(body.utf8.count)")]
    voice.head(status, version + fields + length)
    if !body.isEmpty { voice.body(Array(body.utf8), promise: nil) }
    voice.end()
  }
}
