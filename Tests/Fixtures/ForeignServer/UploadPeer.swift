import HTTPPreparation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOPosix
import NIOResumableUpload
import ScriptedServer
import Synchronization

/// A server made of swift-nio-extras' own handler for resumable uploads: somebody else's reading of the draft.
public final class UploadPeer: Sendable {
  private struct Memory {
    var cuts: [Int] = []
    var context: HTTPResumableUploadContext?
    var uploads: [(path: String, digest: String)] = []
  }

  private let memory = Mutex(Memory())
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let channel = Mutex<(any Channel)?>(nil)

  /// Listens. The first connections are cut after so many bytes of theirs, one after the other.
  public static func start(cuts: [Int]) async throws -> UploadPeer {
    prepareForHTTP()
    let peer = UploadPeer()
    peer.memory.withLock { $0.cuts = cuts }
    try await peer.listen()
    return peer
  }

  private func listen() async throws {
    let channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let limit = nextCut() { try pipeline.addHandler(Cutter(limit)) }
          try pipeline.configureHTTPServerPipeline()
          try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
          try pipeline.addHandler(
            HTTPResumableUploadHandler(context: context(of: channel)) { upload in
              try? upload.pipeline.syncOperations.addHandler(Collector { [self] in note($0, $1) })
            })
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    self.channel.withLock { $0 = channel }
  }

  /// What all connections share. The origin of its URLs is known once there is one.
  private func context(of channel: any Channel) -> HTTPResumableUploadContext {
    memory.withLock { memory in
      let origin = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)"
      let context = memory.context ?? HTTPResumableUploadContext(origin: origin)
      memory.context = context
      return context
    }
  }

  /// Where a file is sent to.
  public func url(_ path: String) -> String {
    "http://127.0.0.1:\(channel.withLock { $0?.localAddress?.port } ?? 0)\(path)"
  }

  /// The SHA-256 of every upload to a path that came whole.
  public func digests(_ path: String) -> [String] {
    memory.withLock { $0.uploads.filter { $0.path == path }.map(\.digest) }
  }

  private func note(_ path: String, _ digest: String) { memory.withLock { $0.uploads.append((path, digest)) } }

  private func nextCut() -> Int? {
    memory.withLock { $0.cuts.isEmpty ? nil : $0.cuts.removeFirst() }
  }

  /// Stops listening and closes every connection.
  public func stop() async throws {
    try await channel.withLock { $0 }?.close()
    try await group.shutdownGracefully()
  }
}

/// Closes a connection once so many bytes have come over it.
private final class Cutter: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private var rest: Int

  init(_ limit: Int) { rest = limit }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if bytes.readableBytes > rest { bytes = bytes.readSlice(length: rest) ?? ByteBuffer() }
    rest -= bytes.readableBytes
    context.fireChannelRead(wrapInboundOut(bytes))
    if rest == 0 { context.close(promise: nil) }
  }

  typealias InboundOut = ByteBuffer
}

/// Takes one upload, however many requests it comes with, and answers 200.
private final class Collector: ChannelInboundHandler {
  typealias InboundIn = HTTPRequestPart
  typealias OutboundOut = HTTPResponsePart
  private var path = ""
  private var digest = SHA256()
  private let note: (_ path: String, _ digest: String) -> Void

  init(_ note: @escaping (_ path: String, _ digest: String) -> Void) { self.note = note }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let request): path = request.path ?? ""
    case .body(let bytes): digest.update(bytes.readableBytesView)
    case .end:
      note(path, digest.hex())
      let response = HTTPResponse(status: .ok, headerFields: [.contentLength: "0"])
      context.write(wrapOutboundOut(.head(response)), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
  }
}
