import NightjarModel
import ScriptedServer

@testable import NightjarTransfer

/// What the tests of resumable uploads send.
let content = Content(seed: 8, size: 600_000)

/// Makes attempts as the core does, each from where the last has left it, until one ends well or for good.
func persist(
  _ workshop: Workshop, _ server: HTTPTestServer, to path: String, attemptsMax: Int = 6,
  content: Content = content, _ change: (inout TransferRequest) -> Void = { _ in }
) async throws -> [[TransferFact]] {
  let source = Disk.write(content.bytes, to: "\(workshop.folder)/source")
  var order = TransferOrder.upload(source, to: server.url(path), change)
  var attempts: [[TransferFact]] = []
  while attempts.count < attemptsMax {
    let facts = try await workshop.run(order)
    attempts.append(facts)
    if facts.failure == nil { break }
    order.attempt += 1
    order.resume = facts.checkpoints.last ?? order.resume
  }
  return attempts
}

func completed(_ server: HTTPTestServer, _ path: String) -> [SeenRequest] {
  server.requests(path).filter { $0.bodyDigest != nil }
}
