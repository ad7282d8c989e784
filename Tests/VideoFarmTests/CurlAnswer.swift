import Foundation
import Subprocess
import SystemPackage

/// What a server answered to curl.
struct CurlAnswer {
  /// curl's own exit status; 0 when it got a whole answer.
  let exit: TerminationStatus
  /// The status of the last answer, after redirections.
  let status: Int
  let body: [UInt8]
  private let headers: [String: String]

  /// The header of the last answer. Throws where there is none.
  func header(_ name: String) throws -> String {
    guard let value = headers[name] else { throw Missing(header: name) }
    return value
  }

  struct Missing: Error {
    let header: String
  }

  /// The body as a JSON object.
  var json: [String: Any] {
    get throws { try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:] }
  }

  /// The code and the sentence of a refusal.
  var refusal: (code: String, message: String) {
    get throws {
      let error = try json["error"] as? [String: String] ?? [:]
      return (error["code"] ?? "", error["message"] ?? "")
    }
  }

  /// Asks with curl's command line, and gives up after a minute.
  static func of(_ arguments: [String]) async throws -> CurlAnswer {
    let answer = NSTemporaryDirectory() + "/curl-\(UUID().uuidString)"
    defer { for part in ["body", "head"] { try? FileManager.default.removeItem(atPath: answer + part) } }
    let common = ["--silent", "--max-time", "60", "--output", answer + "body", "--dump-header", answer + "head"]
    let result = try await run(
      .path("/usr/bin/curl"), arguments: Arguments(common + arguments), output: .discarded, error: .discarded)
    let head = (try? String(contentsOfFile: answer + "head", encoding: .isoLatin1)) ?? ""
    let body = (try? Data(contentsOf: URL(filePath: answer + "body"))) ?? Data()
    return CurlAnswer(exit: result.terminationStatus, head: head, body: Array(body))
  }

  private init(exit: TerminationStatus, head: String, body: [UInt8]) {
    let last = head.components(separatedBy: "\r\n\r\n").last { !$0.isEmpty } ?? ""
    let lines = last.components(separatedBy: "\r\n")
    self.exit = exit
    self.status = lines.first.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) } ?? 0
    self.body = body
    self.headers = Dictionary(
      lines.dropFirst().compactMap { line in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        return (line[..<colon].lowercased(), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
      }, uniquingKeysWith: { first, _ in first })
  }
}
