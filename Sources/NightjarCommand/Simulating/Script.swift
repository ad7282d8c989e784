import FoundationEssentials
import NightjarModel
import NightjarSimulator

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The text of a scenario: a built-in one, a file of sentences, or a JSON document that contains them.
struct Script: Encodable {
  /// Where it comes from, for error messages.
  let name: String
  let lines: [String]
  /// The keys of a JSON document that the last lines come from.
  private let keys: [String]

  private enum CodingKeys: CodingKey { case name, lines }

  /// Reads the script of this name: a built-in scenario takes precedence over a file.
  ///
  /// - Throws: `CommandError` if there is neither, or the file cannot be read as text.
  init(_ name: String, in surroundings: Surroundings) throws(CommandError) {
    self.name = name
    if let text = Scenario.builtIn.first(where: { $0.name == name })?.text {
      lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      keys = []
    } else {
      (lines, keys) = try Self.lines(ofFile: surroundings.absolute(name), name)
    }
  }

  /// The scenario of the lines, with this number of days if it is to differ from its own.
  ///
  /// - Throws: `CommandError`, which names the line, or the key, and what to write instead.
  func scenario(days: Int? = nil) throws(CommandError) -> Scenario {
    do throws(ScenarioError) {
      var scenario = try Scenario(lines: lines, days: days)
      if scenario.name == Scenario().name { scenario.name = name.split(separator: "/").last.map(String.init) ?? name }
      return scenario
    } catch { throw CommandError(.usage, "\(name)\(complaint(error))") }
  }

  /// The error message, worded to follow the script's name.
  private func complaint(_ error: ScenarioError) -> String {
    guard let line = error.line else { return ": \(error)" }
    let place = line - 1 - (lines.count - keys.count)
    return keys.indices.contains(place) ? ", key '\(keys[place])': \(error.detail)" : ", \(error)"
  }

  private static func lines(
    ofFile path: String, _ name: String
  ) throws(CommandError) -> (lines: [String], keys: [String]) {
    let file = try bytes(ofFile: path, name)
    guard file.count <= bytesMax, let text = String(validating: file, as: UTF8.self)?.withoutByteOrderMark else {
      throw CommandError(
        .usage, "'\(name)' is no scenario: it is no text, or has more than \(bytesMax / 1_000_000) MB.")
    }
    guard text.first(where: { !$0.isWhitespace }) == "{" else {
      return (text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init), [])
    }
    return try lines(ofJSON: Data(text.utf8), name)
  }

  private static func bytes(ofFile path: String, _ name: String) throws(CommandError) -> [UInt8] {
    do { return try TextFile.bytes(of: path, max: bytesMax) } catch {
      switch error.code {
      case ENOENT:
        let names = Scenario.builtIn.map(\.name).joined(separator: ", ")
        throw CommandError(.usage, "There is no scenario and no file '\(name)'. Scenarios are: \(names).")
      case EISDIR: throw CommandError(.usage, "'\(name)' is a folder; name a file.")
      default: throw CommandError(.usage, "'\(name)' cannot be read: \(error.words).")
      }
    }
  }

  private static func lines(
    ofJSON file: Data, _ name: String
  ) throws(CommandError) -> (lines: [String], keys: [String]) {
    struct Document: Decodable {
      var title: String?, about: String?, starts: String?
      var days: Int?
      var lines: [String]
    }
    do {
      let document = try JSONDecoder().decode(Document.self, from: file)
      let head: [(key: String, value: String?)] = [
        ("title", document.title.flatMap(quoted)), ("about", document.about.flatMap(quoted)),
        ("starts", document.starts),
        ("days", document.days.map { "\($0)" }),
      ]
      let given = head.filter { $0.value != nil }
      let others = given.map { "\($0.key) \($0.value ?? "")".replacing("\n", with: " ") }
      return (document.lines + others, given.map(\.key))
    } catch {
      throw CommandError(
        .usage,
        "'\(name)' is JSON, and not a scenario; write {\"title\": \"A week\", \"days\": 7, \"lines\": [\"opens Mail at 09:00\"]}."
      )
    }
  }

  /// Words as a sentence has them whatever they contain, except that it cannot have a quotation mark in them; nil
  /// without any.
  private static func quoted(_ words: String) -> String? {
    words.isEmpty ? nil : "\"\(words.replacing("\"", with: "”"))\""
  }

  private static let bytesMax = 4_000_000
}
