import FoundationEssentials
import NightjarSimulator

/// A scenario as somebody wrote it: one of ours, a file of sentences, or a JSON document that holds them.
struct Script: Encodable {
  /// Where it comes from, to stand in complaints.
  let name: String
  let lines: [String]

  /// Reads what is called so: a scenario of ours goes before a file.
  ///
  /// - Throws: `CommandError` if there is neither, or the file cannot be read as text.
  init(_ name: String, in surroundings: Surroundings) throws(CommandError) {
    self.name = name
    if let text = Scenario.builtIn.first(where: { $0.name == name })?.text {
      lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    } else {
      lines = try Self.lines(ofFile: surroundings.absolute(name), name)
    }
  }

  /// What the lines say.
  ///
  /// - Throws: `CommandError`, which names the line and what to write instead.
  func scenario() throws(CommandError) -> Scenario {
    do throws(ScenarioError) {
      var scenario = try Scenario(lines: lines)
      if scenario.name == Scenario().name { scenario.name = name.split(separator: "/").last.map(String.init) ?? name }
      return scenario
    } catch { throw CommandError(.usage, "\(name)\(error.line == nil ? ":" : ",") \(error)") }
  }

  private static func lines(ofFile path: String, _ name: String) throws(CommandError) -> [String] {
    guard let file = FileManager.default.contents(atPath: path) else {
      let names = Scenario.builtIn.map(\.name).joined(separator: ", ")
      throw CommandError(.usage, "There is no scenario and no file '\(name)'. Scenarios are: \(names).")
    }
    guard file.count <= bytesMax, let text = String(data: file, encoding: .utf8) else {
      throw CommandError(
        .usage, "'\(name)' is no scenario: it is no text, or has more than \(bytesMax / 1_000_000) MB.")
    }
    guard text.first(where: { !$0.isWhitespace }) == "{" else {
      return text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
    }
    return try lines(ofJSON: file, name)
  }

  private static func lines(ofJSON file: Data, _ name: String) throws(CommandError) -> [String] {
    struct Document: Decodable {
      var title: String?, about: String?, starts: String?
      var days: Int?
      var lines: [String]
    }
    do {
      let document = try JSONDecoder().decode(Document.self, from: file)
      let head = [
        document.title.map { "title \($0)" }, document.about.map { "about \($0)" },
        document.starts.map { "starts \($0)" }, document.days.map { "days \($0)" },
      ]
      return document.lines + head.compactMap { $0?.replacing("\n", with: " ") }
    } catch {
      throw CommandError(
        .usage,
        "'\(name)' is JSON, and not a scenario; write {\"title\": \"A week\", \"days\": 7, \"lines\": [\"opens Mail at 09:00\"]}."
      )
    }
  }

  private static let bytesMax = 4_000_000
}
