/// Spoils answers at random from a seed, in ways that a good client survives: every resource is delivered in the end.
///
/// The seed, the target and the number of its requests determine the fault, so a run is reproducible. After
/// ``faultsMax`` spoilt answers a target is served well.
struct Chaos: Sendable {
  let seed: UInt64
  /// The most spoilt answers for each target.
  static let faultsMax = 4

  func spoil(_ script: Script, target: String, time: Int) -> Script {
    guard time <= Self.faultsMax else { return script }
    var dice = Dice(seed: target.utf8.reduce(seed &+ UInt64(time)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 })
    switch script {
    case .serve(let serving): return spoil(serving, &dice)
    case .take: return spoilUpload(script, &dice)
    default: return script
    }
  }

  private func spoil(_ serving: Serving, _ dice: inout Dice) -> Script {
    let place = Int64.random(in: 0...serving.content.size, using: &dice)
    func mishap(_ mishap: Serving.Mishap) -> Script {
      .serve(serving.with { ($0.mishap, $0.mishapAfter) = (mishap, place) })
    }
    switch Int.random(in: 0..<10, using: &dice) {
    case 0: return mishap(.cut)
    case 1: return mishap(.reset)
    case 2: return .answer(status: 503, headers: ["Retry-After": "1"])
    case 3: return .answer(status: 500, body: "something broke\n")
    case 4: return .hangUp
    case 5: return .raw("this is not HTTP\r\n\r\n")
    case 6: return .serve(serving.with { $0.hasRanges = false })
    case 7: return .serve(serving.with { $0.announcedRange = "bytes 1-2/3" })
    case 8: return .serve(serving.with { $0.announcedLength = $0.content.size + 1000 })
    default: return .serve(serving)
    }
  }

  private func spoilUpload(_ script: Script, _ dice: inout Dice) -> Script {
    switch Int.random(in: 0..<5, using: &dice) {
    case 0: .cutRequest(after: Int64.random(in: 0..<100_000, using: &dice))
    case 1: .answer(status: 503, headers: ["Retry-After": "1"])
    case 2: .hangUp
    default: script
    }
  }
}
