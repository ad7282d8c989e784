import HTTPTypes
import Hummingbird
import NightjarClient
import NightjarWire

/// What changes, as it changes, as server-sent events (HTML Standard, 9.2): the daemon's `Monitor` stream, message by
/// message, over as many lives of the daemon as it takes.
///
/// `{"hello":true}` begins each stream; `{"away":"…"}` says in words that the daemon is gone, once until it is back.
struct News: Sendable {
  let socket: String
  let pause: @Sendable (Duration) async throws -> Void

  private static let delayMin = Duration.milliseconds(50)
  private static let delayMax = Duration.seconds(2)

  /// The news, until the browser closes its connection.
  func response(to request: Request) -> Response {
    Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: .init { writer in
        var pen = Pen(writer: writer)
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

  @concurrent private func follow(with pen: inout Pen, _ begun: () -> Void) async throws {
    let replies = try DaemonConnection(to: socket).replies(to: ControlInterface.Monitor.self)
    begun()
    try await pen.write(Hello())
    for try await reply in replies { try await pen.write(reply) }
    throw ClientError(.lost, "The daemon ended its report.")
  }

  private struct Hello: Encodable { var hello = true }
  private struct Away: Encodable { var away: String }
}

/// Writes events one by one, each as soon as it is there; a reader that is slow holds the writer back.
private struct Pen {
  var writer: any ResponseBodyWriter

  @concurrent mutating func write(_ event: some Encodable) async throws {
    var line = ByteBuffer(string: "data: ")
    line.writeImmutableBuffer(JSONText.buffer(event))
    line.writeString("\n\n")
    try await writer.write(line)
  }
}
