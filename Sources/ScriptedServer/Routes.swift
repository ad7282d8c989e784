/// The server's behaviour at paths without a script.
///
/// `/file/SEED/SIZE` deterministic bytes with entity tag and ranges; `/slow/SEED/SIZE/BYTES-PER-SECOND` the same,
/// slowly; `/sha256/SEED/SIZE` their digest; `/upload/NAME` takes a body; `/digest/NAME` tells its SHA-256 and length;
/// `/redirect/PATH` leads to `/PATH`; `/status/CODE` answers so.
enum Routes {
  static func script(_ target: String, uploads: [String: SeenRequest]) -> Script {
    let path = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)[0]
    let words = path.split(separator: "/").map(String.init)
    switch words.first {
    case "file": return content(words).map { .serve(Serving($0)) } ?? notFound
    case "slow":
      guard let content = content(words), words.count == 4, let speed = Int64(words[3]), speed > 0 else {
        return notFound
      }
      return .serve(Serving(content).with { $0.speed = speed })
    case "sha256": return content(words).map { .answer(status: 200, body: $0.sha256 + "\n") } ?? notFound
    case "upload": return .take()
    case "digest":
      guard words.count == 2, let seen = uploads["/upload/\(words[1])"], let digest = seen.bodyDigest else {
        return notFound
      }
      return .answer(status: 200, body: "\(digest) \(seen.bodyLength)\n")
    case "redirect": return .redirect(to: "/" + words.dropFirst().joined(separator: "/"))
    case "status": return words.count == 2 ? Int(words[1]).map { .answer(status: $0) } ?? notFound : notFound
    default: return notFound
    }
  }

  private static let notFound = Script.answer(status: 404, body: "nothing here\n")

  private static func content(_ words: [String]) -> Content? {
    guard words.count >= 3, let seed = UInt64(words[1]), let size = Int64(words[2]), size >= 0 else { return nil }
    return Content(seed: seed, size: size)
  }
}
