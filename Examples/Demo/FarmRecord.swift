/// What the server says it has sent and taken in, read from its log: the one witness that trusts no part of Nightjar.
struct FarmRecord {
  /// One answer with bytes of a movie.
  struct Answer: Equatable {
    /// The first byte that was asked for.
    var from: Int64
    /// Bytes handed to the network; nil while it goes on.
    var bytes: Int64?
  }

  /// The answers for each movie, in their order.
  private(set) var answers: [String: [Answer]] = [:]
  /// Bytes of the uploads that were cut and are gone, by video.
  private(set) var cut: [String: [Int64]] = [:]
  /// Bytes that were kept of an upload each time it was cut.
  private(set) var paused: [String: [Int64]] = [:]
  /// Where it went on.
  private(set) var resumed: [String: [Int64]] = [:]
  /// What is stored: its size by video.
  private(set) var stored: [String: Int64] = [:]

  /// Takes in a line such as `… served("0123456789abcdef", from: 0, bytes: 1024)`.
  mutating func read(_ line: String) {
    guard let event = Event(line) else { return }
    switch event.name {
    case "serving": answers[event.video, default: []].append(Answer(from: event["from"]))
    case "served": finish(event.video, from: event["from"], bytes: event["bytes"])
    case "cut": cut[event.video, default: []].append(event["received"])
    case "paused": paused[event.video, default: []].append(event["at"])
    case "resumed": resumed[event.video, default: []].append(event["at"])
    case "stored": stored[event.video] = event["size"]
    default: break
    }
  }

  /// Bytes of a movie that went out, in all answers that have ended.
  func sent(_ video: String) -> Int64 { (answers[video] ?? []).reduce(0) { $0 + ($1.bytes ?? 0) } }

  /// Bytes of an upload that came in, over all attempts; those that were kept when it was cut came once.
  func received(_ video: String) -> Int64 { (cut[video] ?? []).reduce(0, +) + (stored[video] ?? 0) }

  private mutating func finish(_ video: String, from: Int64, bytes: Int64) {
    guard let index = answers[video]?.lastIndex(where: { $0.from == from && $0.bytes == nil }) else { return }
    answers[video]?[index].bytes = bytes
  }

  /// An event as the server logs it: `name("video", label: number, …)`.
  private struct Event {
    let name: Substring
    let video: String
    private let fields: Substring

    init?(_ line: String) {
      guard let opening = line.firstRange(of: "(\""), let closing = line[opening.upperBound...].firstIndex(of: "\"")
      else { return nil }
      name = line[..<opening.lowerBound].split(separator: " ").last ?? ""
      video = String(line[opening.upperBound..<closing])
      fields = line[closing...]
    }

    subscript(label: String) -> Int64 {
      guard let range = fields.firstRange(of: "\(label): ") else { return 0 }
      return Int64(fields[range.upperBound...].prefix { $0.isNumber }) ?? 0
    }
  }
}
