import Synchronization

/// The scripts of a server and the requests it has seen; shared by its connections.
final class Stage: Sendable {
  private struct Memory {
    var scripts: [String: [Script]] = [:]
    var times: [String: Int] = [:]
    var requests: [String: [SeenRequest]] = [:]
    var connections = 0
  }

  let guards = GuardRoom()
  let gate = Gate()
  private let memory = Mutex(Memory())
  private let chaos: Chaos?
  let shelf = Shelf()

  init(chaos: Chaos?) { self.chaos = chaos }

  func play(_ path: String, _ scripts: [Script]) {
    precondition(!scripts.isEmpty, "a path needs a script")
    memory.withLock { ($0.scripts[path], $0.times[path]) = (scripts, nil) }
  }

  /// The script for the next request for a target.
  func script(for target: String) -> Script {
    memory.withLock { memory in
      let time = memory.times[target, default: 0] + 1
      memory.times[target] = time
      let script =
        memory.scripts[target].map { $0[min(time, $0.count) - 1] }
        ?? Routes.script(target, uploads: memory.requests.compactMapValues { $0.last { $0.bodyDigest != nil } })
      return chaos?.spoil(script, target: target, time: time) ?? script
    }
  }

  func record(_ request: SeenRequest) {
    memory.withLock { memory in
      memory.requests[request.target, default: []].append(request)
      let surplus = memory.requests[request.target, default: []].count - Self.requestsMax
      if surplus > 0 { memory.requests[request.target]?.removeFirst(surplus) }
    }
  }

  /// The most requests remembered for each path.
  private static let requestsMax = 1000

  func requests(_ path: String) -> [SeenRequest] { memory.withLock { $0.requests[path] ?? [] } }

  func connect() -> Int {
    memory.withLock { memory in
      memory.connections += 1
      return memory.connections
    }
  }

  var connections: Int { memory.withLock { $0.connections } }
}
