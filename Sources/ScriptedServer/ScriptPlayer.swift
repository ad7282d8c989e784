import NIOCore
import NIOHTTP1

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Plays the scripts for the requests of one channel, one after the other.
final class ScriptPlayer: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = Never

  private let tongue: Voice.Tongue
  private let connection: Int
  private let stage: Stage
  private var seen: SeenRequest?
  private var digest = SHA256()
  private var script = Script.silence
  private var voice: Voice?
  private var clerk: Clerk?
  private var hasAnswered = false
  private var isGone = false
  private var readsAt = NIODeadline.now()
  /// The range that is sent after a mishap; empty for none.
  private var rest: Range<Int64> = 0..<0

  init(_ tongue: Voice.Tongue, connection: Int, stage: Stage) {
    (self.tongue, self.connection, self.stage) = (tongue, connection, stage)
  }

  func channelInactive(context: ChannelHandlerContext) {
    if clerk != nil, let seen { stage.record(seen) }
    (isGone, voice, clerk) = (true, nil, nil)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): receive(head, context)
    case .body(let bytes): receive(bytes)
    case .end: receiveEnd()
    }
  }

  private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let headers = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
    seen = SeenRequest(
      method: head.method.rawValue, target: head.uri, headers: headers, connection: connection)
    (digest, hasAnswered, voice) = (SHA256(), false, Voice(tongue, context))
    script = stage.script(for: head.uri)
    clerk = voice.flatMap { clerk(for: head, $0) }
    if case .answerEarly(let status) = script { answer(status, [:], "enough\n") }
  }

  private func clerk(for head: HTTPRequestHead, _ voice: Voice) -> Clerk? {
    if case .collect(let collecting) = script {
      return Clerk(head, begin: collecting, shelf: stage.shelf, voice: voice)
    }
    return head.uri.hasPrefix(Shelf.folder) ? Clerk(head, begin: nil, shelf: stage.shelf, voice: voice) : nil
  }

  private func receive(_ bytes: ByteBuffer) {
    if clerk != nil {
      seen?.bodyLength += Int64(bytes.readableBytes)
      clerk?.receive(bytes)
      return slowDown(after: bytes.readableBytes)
    }
    digest.update(bytes.readableBytesView)
    seen?.bodyLength += Int64(bytes.readableBytes)
    if case .cutRequest(let limit) = script, let seen, seen.bodyLength > limit { voice?.close() }
  }

  private func receiveEnd() {
    guard var seen, !isGone else { return }
    if let clerk {
      stage.record(seen)
      clerk.finish(connection: connection) { stage.record($0) }
      self.clerk = nil
      return
    }
    seen.bodyDigest = digest.hex()
    stage.record(seen)
    if !hasAnswered { play(script, seen) }
  }

  private func play(_ script: Script, _ seen: SeenRequest) {
    switch script {
    case .serve(let serving): serve(serving, seen)
    case .answer(let status, let headers, let body): answer(status, headers, seen.method == "HEAD" ? "" : body)
    case .bytes(let bytes, let headers, let length, let trailers): tell(bytes, headers, length, trailers)
    case .redirect(let status, let target): answer(status, ["Location": target], "")
    case .take(let status, let body): answer(status, [:], body)
    case .answerEarly, .silence, .collect: break
    case .cutRequest, .hangUp: voice?.close()
    case .endlessHeaders:
      voice?.raw("HTTP/1.1 200 OK\r\n")
      goOn("X-More: \(String(repeating: "x", count: 1000))\r\n")
    case .endlessInformation: goOn("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
    case .inform(let status, let times, let pause, let then): inform(status, 0..<times, pause, then, seen)
    case .guarded(let post, let then):
      switch stage.guards.judge(post, seen) {
      case .letIn: play(then, seen)
      case .refuse(let challenges): answer(post.refusal.status, [post.refusal.field: challenges], "not you\n")
      }
    case .onlyInHTTP1(let then):
      switch tongue {
      case .http1: play(then, seen)
      case .http2: voice?.demandHTTP1()
      }
    case .raw(let text):
      voice?.raw(text)
      voice?.close()
    }
  }

  private func inform(_ status: Int, _ numbers: Range<Int>, _ pause: Duration, _ then: Script, _ seen: SeenRequest) {
    guard let number = numbers.first else { return play(then, seen) }
    voice?.head(status, [("X-Number", "\(number)")])
    guard pause > .zero else { return inform(status, numbers.dropFirst(), pause, then, seen) }
    voice?.context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(pause)) {
      self.inform(status, numbers.dropFirst(), pause, then, seen)
    }
  }

  private func answer(_ status: Int, _ headers: [String: String], _ body: String) {
    hasAnswered = true
    let fields = headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    voice?.head(status, fields + [("Content-Length", "\(body.utf8.count)")])
    if !body.isEmpty { voice?.body(Array(body.utf8), promise: nil) }
    voice?.end()
  }

  private func tell(_ bytes: [UInt8], _ headers: [String: String], _ length: Int?, _ trailers: [String: String]) {
    hasAnswered = true
    let isChunked = length.map { $0 < 0 } ?? false
    var fields = headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    if !isChunked { fields.append(("Content-Length", "\(length ?? bytes.count)")) }
    voice?.head(200, fields, isChunked: isChunked)
    for start in stride(from: 0, to: bytes.count, by: 100_000) {
      voice?.body(Array(bytes[start..<min(start + 100_000, bytes.count)]), promise: nil)
    }
    if let length, length > bytes.count { voice?.close() } else { voice?.end(trailers.sorted { $0.key < $1.key }) }
  }

  /// Pauses reading to slow the received bytes down to the wanted speed.
  private func slowDown(after count: Int) {
    guard let speed = clerk?.speed, let channel = voice?.context.channel else { return }
    readsAt = max(readsAt, .now()) + .microseconds(Int64(count) * 1_000_000 / speed)
    channel.setOption(.autoRead, value: false).whenComplete { _ in }
    let loop = channel.eventLoop.assumeIsolated()
    loop.scheduleTask(deadline: readsAt) { [self] in
      guard readsAt <= .now() else { return }
      // An HTTP/2 stream does not resume reading by itself.
      channel.setOption(.autoRead, value: true).whenComplete { _ in channel.read() }
    }
  }

  /// Sends the same text repeatedly while the connection is open.
  private func goOn(_ text: String) {
    guard let voice, !isGone else { return }
    let written = voice.context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenSuccess { [self] in goOn(text) }
    voice.raw(text, promise: written)
  }
}

// MARK: - Serving a resource

extension ScriptPlayer {
  private func serve(_ serving: Serving, _ seen: SeenRequest) {
    let size = serving.content.size
    var fields = serving.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    if let tag = serving.tag { fields.append(("ETag", tag)) }
    if let modified = serving.modified {
      fields += [("Last-Modified", modified), ("Date", "Sun, 06 Nov 2044 08:49:37 GMT")]
    }
    guard let start = rangeStart(serving, seen) else {
      return send(serving, 0..<size, 200, fields, isHead: seen.method == "HEAD")
    }
    guard start < size else {
      voice?.head(416, fields + [("Content-Range", "bytes */\(size)"), ("Content-Length", "0")])
      voice?.end()
      return
    }
    let end = serving.rangeMax.map { min(start + $0, size) } ?? size
    fields.append(("Content-Range", serving.announcedRange ?? "bytes \(start)-\(end - 1)/\(size)"))
    send(serving, start..<end, 206, fields, isHead: false)
  }

  /// The beginning of the requested range; nil to send the whole.
  private func rangeStart(_ serving: Serving, _ seen: SeenRequest) -> Int64? {
    guard serving.hasRanges, let range = seen.headers["range"], range.hasPrefix("bytes=") else { return nil }
    if serving.mishandlesIfRange, seen.headers["if-range"] != nil { return nil }
    if serving.heedsIfRange, let condition = seen.headers["if-range"],
      condition != serving.tag, condition != serving.modified
    {
      return nil
    }
    return Int64(range.dropFirst(6).prefix { $0 != "-" })
  }

  private func send(
    _ serving: Serving, _ range: Range<Int64>, _ status: Int, _ fields: [(String, String)], isHead: Bool
  ) {
    var fields = fields
    if serving.endsByClosing { fields.append(("Connection", "close")) }
    if !serving.isChunked, !serving.endsByClosing {
      fields.append(("Content-Length", "\(serving.announcedLength ?? Int64(range.count))"))
    }
    voice?.head(status, fields, isChunked: serving.isChunked)
    guard !isHead else { voice?.end(); return }
    let end = serving.mishap == nil ? range.upperBound : min(range.lowerBound + serving.mishapAfter, range.upperBound)
    rest = end..<range.upperBound
    stream(serving, range.lowerBound..<end)
  }

  /// Waits until the path is opened.
  private func hold(_ serving: Serving) {
    guard let voice, let seen else { return }
    let promise = voice.context.eventLoop.makePromise(of: Void.self)
    promise.futureResult.assumeIsolated().whenSuccess { [self] in stream(serving.with { $0.mishap = nil }, rest) }
    stage.gate.pass(seen.target, promise)
  }

  private func stream(_ serving: Serving, _ rest: Range<Int64>) {
    guard let voice, !isGone else { return }
    guard !rest.isEmpty else { return ended(serving) }
    let step = min(serving.speed.map { max($0 / 10, 1) } ?? Self.pieceSize, Int64(rest.count))
    let piece = serving.content.bytes(rest.lowerBound..<(rest.lowerBound + step))
    let written = voice.context.eventLoop.makePromise(of: Void.self)
    let loop = voice.context.eventLoop.assumeIsolated()
    written.futureResult.assumeIsolated().whenSuccess { [self] in
      let next = (rest.lowerBound + step)..<rest.upperBound
      guard serving.speed != nil else { return stream(serving, next) }
      loop.scheduleTask(in: .milliseconds(100)) { self.stream(serving, next) }
    }
    voice.body(piece, promise: written)
  }

  private static let pieceSize: Int64 = 128 << 10

  private func ended(_ serving: Serving) {
    switch serving.mishap {
    case .cut: voice?.close()
    case .reset: voice?.reset()
    case .stall: break
    case .hold: hold(serving)
    case nil:
      voice?.end()
      if serving.endsByClosing || serving.announcedLength != nil { voice?.close() }
    }
  }
}
