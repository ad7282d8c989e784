import HTTPTypes
import Hummingbird
import NightjarClient
import NightjarWire
import Synchronization

/// All changes as server-sent events (HTML Standard, 9.2): the daemon's `Monitor` stream, message by message, across
/// restarts of the daemon.
///
/// `{"hello":true}` begins each stream of the daemon; `{"away":"…"}` says in words that the daemon is gone, once until
/// it is back.
struct News: Sendable {
  let socket: String
  let pause: @Sendable (Duration) async throws -> Void
  let audience: Audience

  private static let delayMin = Duration.milliseconds(50)
  private static let delayMax = Duration.seconds(2)

  /// The news, until the browser closes its connection.
  ///
  /// - Throws: `Refusal` if there are too many streams already.
  func response(to request: Request) throws(Refusal) -> Response {
    let seat = try audience.admit()
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: .init { writer in
        var pen = Pen(writer: writer, seat: seat)
        try await request.body.consumeWithCancellationOnInboundClose { _ in try await write(with: &pen) }
      })
  }

  @concurrent private func write(with pen: inout Pen) async throws {
    var delay = Self.delayMin
    var isAway = false
    while true {
      do {
        try await follow(with: &pen) { (delay, isAway) = (Self.delayMin, false) }
      } catch let error as ClientError {
        try Task.checkCancellation()
        if !isAway { try await pen.write(Away(away: error.detail)) }
        isAway = true
      }
      try await pause(delay)
      delay = min(delay * 2, Self.delayMax)
    }
  }

  /// Writes one stream of the daemon.
  ///
  /// - Parameter heard: Called with each message. A daemon that only takes the call may as well refuse it.
  @concurrent private func follow(with pen: inout Pen, _ heard: () -> Void) async throws {
    let replies = try DaemonConnection(to: socket).replies(to: ControlInterface.Monitor.self)
    try await pen.write(Hello())
    for try await reply in replies {
      heard()
      try await pen.write(reply)
    }
    throw ClientError(.lost, "The daemon ended its report.")
  }

  private struct Hello: Encodable { var hello = true }
  private struct Away: Encodable { var away: String }
}

/// Limits the streams of news, so that connections, here and to the daemon, are left for other requests.
final class Audience: Sendable {
  private let max: Int
  private let taken = Mutex(0)

  init(max: Int) { self.max = max }

  /// - Throws: `Refusal` if every seat is taken.
  func admit() throws(Refusal) -> Seat {
    let isFree = taken.withLock { taken in
      guard taken < max else { return false }
      taken += 1
      return true
    }
    guard isFree else {
      throw Refusal(.serviceUnavailable, "crowded", "This page is open in too many windows. Close some of them.")
    }
    return Seat(in: self)
  }

  /// A seat, which becomes free when it is released.
  final class Seat: Sendable {
    private let audience: Audience

    fileprivate init(in audience: Audience) { self.audience = audience }

    deinit { audience.taken.withLock { $0 -= 1 } }
  }
}

/// Writes events one by one, each at once; a slow reader holds the writer back.
private struct Pen {
  var writer: any ResponseBodyWriter
  let seat: Audience.Seat

  @concurrent mutating func write(_ event: some Encodable) async throws {
    var line = ByteBuffer(string: "data: ")
    line.writeImmutableBuffer(JSONText.buffer(event))
    line.writeString("\n\n")
    try await writer.write(line)
  }
}
