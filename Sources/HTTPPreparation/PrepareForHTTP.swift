import NIOCore
import NIOHTTP1

/// Makes the calling thread the first to use NIO's HTTP/1.1 readers. To be called before more than one thread reads
/// connections; further calls cost nothing.
///
/// Swift makes the classes of generic types on first use. If two threads do that at once with
/// `ByteToMessageHandler<HTTPDecoder<…>>`, one may find the decoder's class unfinished while it checks its conformance
/// to `ByteToMessageDecoder`; the runtime then looks at the superclass, which it does not have on Linux, and the
/// process ends by SIGSEGV in `swift_checkMetadataState` (Swift 6.3; 55 of 1500 such races in a debug build, 3 of 1500
/// in release).
public func prepareForHTTP() {
  precondition(readers.allSatisfy { $0 is any ChannelInboundHandler.Type })
}

private let readers: [Any.Type] = [
  ByteToMessageHandler<HTTPRequestDecoder>.self, ByteToMessageHandler<HTTPResponseDecoder>.self,
]
