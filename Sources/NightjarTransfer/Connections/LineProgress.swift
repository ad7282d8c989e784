import NIOCore

/// How far the bytes that a connection was handed have come, as the kernel counts them. On a slow link it takes minutes
/// for what the kernel holds to arrive.
struct LineProgress: Hashable, Sendable {
  /// Bytes that were handed over.
  var handedOver: UInt64
  /// Bytes that the other side has acknowledged.
  var acknowledged: UInt64
  /// How long ago the last acknowledgement came.
  var quiet: TimeAmount
}

extension LineProgress {
  /// The beginning of Linux's `struct tcp_info`, of which libc knows less than the kernel. It only ever grows at its
  /// end (linux/tcp.h); what an older kernel does not fill in is 0.
  private typealias Figures = InlineArray<27, UInt64>

  /// Nil if the channel is no TCP connection.
  init?(of channel: any Channel) {
    guard let socket = channel as? any SocketOptionProvider else { return nil }
    var figures: Figures?
    let asked: EventLoopFuture<Figures> = socket.unsafeGetSocketOption(level: .tcp, name: .tcp_info)
    asked.assumeIsolated().whenSuccess { figures = $0 }  // At once: this is the channel's own event loop.
    guard let figures else { return nil }
    self = withUnsafeBytes(of: figures) { bytes in
      let quiet = bytes.load(fromByteOffset: 56, as: UInt32.self)  // tcpi_last_ack_recv, in milliseconds.
      let acknowledged = bytes.load(fromByteOffset: 120, as: UInt64.self)  // tcpi_bytes_acked
      let waiting = bytes.load(fromByteOffset: 144, as: UInt32.self)  // tcpi_notsent_bytes
      let sent = bytes.load(fromByteOffset: 200, as: UInt64.self)  // tcpi_bytes_sent
      let again = bytes.load(fromByteOffset: 208, as: UInt64.self)  // tcpi_bytes_retrans
      return LineProgress(
        handedOver: sent &- again &+ UInt64(waiting), acknowledged: acknowledged,
        quiet: .milliseconds(Int64(quiet)))
    }
  }
}
