import Foundation
import ScriptedServer

/// Something to be moved, and everything that the server does wrong before it comes through.
struct Cargo {
  /// What is done with the bytes.
  enum Kind: Hashable {
    case download
    /// To a server that takes a body whole or not at all.
    case upload(Source)
    /// To a server by which an upload can go on after a cut.
    case resumableUpload(Source)
  }

  /// Where the app has an upload's bytes from.
  enum Source: String { case file, data, stream }

  let name: String
  let content: Content
  let kind: Kind
  let path: String
  let carriage: Yard.Carriage
  /// Bytes after which the app cancels it, keeps its resume data and goes on with that; nil if it does not.
  let cancelsAfter: Int64?

  /// Of a number: half come down and half go up, half of these resumably; each kind is carried in every way. Half of
  /// those that can be gone on with are cancelled.
  init(_ number: Int, _ dice: inout Dice) {
    kind = Self.kinds[number % Self.kinds.count]
    name = "cargo-\(number)"
    path = "/\(name)"
    carriage = Self.carriage(number, kind)
    let size = Int64.random(in: 0...kind.bytesMax, using: &dice)
    content = Content(seed: UInt64(number), size: size)
    let place = Int64.random(in: 1...max(size / 2, 1), using: &dice)
    cancelsAfter = kind.canGoOn && Bool.random(using: &dice) ? place : nil
  }

  private static let kinds: [Kind] = [
    .download, .upload(.file), .download, .resumableUpload(.file), .download, .upload(.data), .download,
    .resumableUpload(.data), .download, .resumableUpload(.stream), .download, .upload(.stream),
  ]

  private static func carriage(_ number: Int, _ kind: Kind) -> Yard.Carriage {
    let ways: [Yard.Carriage] = kind.isResumable ? [.foreign, .tls, .plain, .http2] : [.plain, .tls, .plain, .http2]
    return ways[(number + number / kinds.count) % ways.count]
  }

  var isUpload: Bool { kind != .download }

  /// What the server does with the requests, in turn.
  func scripts(_ dice: inout Dice) -> [Script] {
    switch kind {
    case .download:
      let slowly = Serving(content).with { $0.speed = max($0.content.size / Int64.random(in: 1...2, using: &dice), 1) }
      return (0..<3).flatMap { _ in downloadMishap(&dice) } + [.serve(slowly)]
    case .upload: return (0..<3).map { _ in uploadMishap(&dice) } + [.take()]
    case .resumableUpload: return [uploadMishap(&dice), .collect(collecting(&dice))]
    }
  }

  /// How the app is told to move it; what goes up is written to a file first.
  func instruction(_ yard: Yard, sources folder: String) throws -> Instructions.Transfer {
    let url = yard.url(of: self)
    guard let source = kind.source else { return .init(name: name, url: url, cancelsAfter: cancelsAfter) }
    let file = "\(folder)/\(name)"
    try Files.write(content.bytes, to: file)
    return .init(name: name, url: url, file: file, source: source.rawValue, cancelsAfter: cancelsAfter)
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

  private func uploadMishap(_ dice: inout Dice) -> Script {
    switch Int.random(in: 0..<5, using: &dice) {
    case 0: .cutRequest(after: Int64.random(in: 0...content.size, using: &dice))
    case 1: .answer(status: 503, headers: ["Retry-After": "1"])
    case 2: .silence
    case 3: .raw("this is not HTTP\r\n\r\n")
    default: .hangUp
    }
  }

  /// How a server that speaks some version of the draft takes it, for half a second to a second if all goes well.
  private func collecting(_ dice: inout Dice) -> Collecting {
    let (size, chance) = (max(content.size, 1), Int.random(in: 0..<100, using: &dice))
    return Collecting().with {
      $0.version = [8, 8, 6, 5, 3].randomElement(using: &dice)!
      $0.ignoresOtherVersions = chance % 7 == 0
      $0.appendMax = chance % 3 == 0 ? size / 3 + 1 : nil
      $0.announcesLimit = chance % 2 == 0
      $0.informsEvery = chance % 2 == 0 ? size / 4 + 1 : nil
      $0.speed = size * Int64.random(in: 1...2, using: &dice)
      $0.mishaps = (0..<6).map { _ in collectingMishap(&dice) }
    }
  }

  private func collectingMishap(_ dice: inout Dice) -> Collecting.Mishap {
    let place = Int64.random(in: 0...content.size, using: &dice)
    switch Int.random(in: 0..<12, using: &dice) {
    case 0..<3: return .cut(after: place)
    case 3: return .cutUninformed(after: place)
    case 4: return .swallow
    case 5: return .refuse(status: 503, headers: ["Retry-After": "1"])
    case 6: return .forget
    case 7: return .claim(offset: place)
    case 8: return .claim(offset: content.size + 1)
    case 9: return .silentOffset
    default: return .none
    }
  }
}

extension Cargo.Kind {
  /// Where an upload's bytes are from; nil for a download.
  fileprivate var source: Cargo.Source? {
    switch self {
    case .download: nil
    case .upload(let source), .resumableUpload(let source): source
    }
  }

  fileprivate var isResumable: Bool {
    if case .resumableUpload = self { true } else { false }
  }

  /// Whether it leaves resume data that hold nothing in the app's container but themselves.
  fileprivate var canGoOn: Bool { self == .download || self == .resumableUpload(.file) }

  /// What is moved is small enough that all of it comes through while everything dies.
  fileprivate var bytesMax: Int64 {
    if case .upload = self { 100_000 } else { 400_000 }
  }
}
