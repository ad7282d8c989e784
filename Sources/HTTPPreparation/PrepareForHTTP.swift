import NIOCore
import NIOHTTP1

/// Lets the calling thread be the first to use NIO's HTTP/1.1 readers. To be called before connections exist that are read
/// by more than one thread; again costs nothing.
///
/// Swift makes the classes of generic types when they are used first. Where two threads do that at once with
/// `ByteToMessageHandler<HTTPDecoder<…>>`, one may find the decoder's class unfinished while it asks whether it keeps to
/// `ByteToMessageDecoder`; the runtime then looks at the superclass, which on Linux it has not, and the process ends by
/// SIGSEGV in `swift_checkMetadataState` (Swift 6.3; 55 of 1500 such meetings in a debug build, 3 of 1500 in release).
public func prepareForHTTP() {
  precondition(readers.allSatisfy { $0 is any ChannelInboundHandler.Type })
}

private let readers: [Any.Type] = [
  ByteToMessageHandler<HTTPRequestDecoder>.self, ByteToMessageHandler<HTTPResponseDecoder>.self,
]
