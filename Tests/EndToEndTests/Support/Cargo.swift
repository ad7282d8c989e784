import Foundation
import ScriptedServer

/// Something to be moved, and everything that the server does wrong before it comes through.
struct Cargo {
  let name: String
  let content: Content
  let isUpload: Bool
  let path: String
  let carriage: Yard.Carriage

  /// Of a number; every third goes up, the others come down; two in five go over TLS.
  init(_ number: Int, _ dice: inout Dice) {
    isUpload = number % 3 == 0
    name = "cargo-\(number)"
    path = "/\(name)"
    carriage = [.plain, .plain, .tls, .plain, .http2][number % 5]
    let size = Int64.random(in: 0...(isUpload ? 100_000 : 400_000), using: &dice)
    content = Content(seed: UInt64(number), size: size)
  }

  /// What the server does with the requests, in turn.
  func scripts(_ dice: inout Dice) -> [Script] {
    let mishaps = (0..<3).flatMap { _ in isUpload ? uploadMishap(&dice) : downloadMishap(&dice) }
    let slowly = Serving(content).with { $0.speed = max($0.content.size / Int64.random(in: 1...2, using: &dice), 1) }
    return mishaps + [isUpload ? .take() : .serve(slowly)]
  }

  /// How the app is told to move it; what goes up is written to a file first.
  func instruction(_ yard: Yard, sources folder: String) throws -> Probe.Instructions.Transfer {
    let url = yard[carriage].url(path)
    guard isUpload else { return .init(name: name, url: url) }
    let file = "\(folder)/\(name)"
    try Files.write(content.bytes, to: file)
    return .init(name: name, url: url, file: file)
  }

  private func downloadMishap(_ dice: inout Dice) -> [Script] {
    let place = Int64.random(in: 0...content.size, using: &dice)
    let honest = Serving(content).with { $0.speed = 400_000 }
    switch Int.random(in: 0..<12, using: &dice) {
    case 0: return [.serve(honest.with { ($0.mishap, $0.mishapAfter) = (.cut, place) })]
    case 1: return [.serve(honest.with { ($0.mishap, $0.mishapAfter) = (.reset, place) })]
    case 2: return [.serve(honest.with { ($0.mishap, $0.mishapAfter) = (.stall, place) })]
    case 3: return [.serve(honest.with { $0.announcedLength = $0.content.size + 1000 })]
    case 4: return [.serve(honest.with { $0.announcedRange = "bytes 1-2/3" })]
    case 5: return [.serve(honest.with { $0.hasRanges = false })]
    case 6: return [.answer(status: 503, headers: ["Retry-After": "1"])]
    case 7: return [.redirect(to: path)]  // In a circle: final, until the app asks anew.
    case 8: return [.endlessHeaders]
    case 9: return [.endlessInformation]
    case 10: return [.raw("this is not HTTP\r\n\r\n")]
    default: return [.hangUp]
    }
  }

  private func uploadMishap(_ dice: inout Dice) -> [Script] {
    switch Int.random(in: 0..<5, using: &dice) {
    case 0: [.cutRequest(after: Int64.random(in: 0...content.size, using: &dice))]
    case 1: [.answer(status: 503, headers: ["Retry-After": "1"])]
    case 2: [.silence]
    case 3: [.raw("this is not HTTP\r\n\r\n")]
    default: [.hangUp]
    }
  }
}
