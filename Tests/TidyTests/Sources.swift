import Foundation
import Testing

/// The sources of this package, as they lie on the disk.
enum Sources {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A source file: where it lies, below the root, and its lines.
  struct File: Sendable, CustomTestStringConvertible {
    var path: String
    var lines: [Substring]
    var testDescription: String { path }

    /// The room that the file belongs to: the folder below `Sources`.
    var room: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

    /// Where the file lies.
    var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

    /// Whether a line of it calls one of these.
    func calls(_ names: String...) -> Bool { lines.contains { line in names.contains { line.contains("\($0)(") } } }

    /// The modules that the file imports.
    var imports: [String] {
      lines.compactMap { line in
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "import"), words[..<place].allSatisfy(Self.mayPrecedeImport) else {
          return nil
        }
        let name = words[(place + 1)...].last { !["struct", "class", "enum", "func", "protocol"].contains($0) }
        return name.map { String($0.prefix { $0 != "." }) }
      }
    }

    private static func mayPrecedeImport(_ word: Substring) -> Bool {
      ["public", "package", "internal", "private", "fileprivate"].contains(word) || word.hasPrefix("@")
    }
  }

  /// All files of these endings below a folder, in order.
  static func files(below folder: String, endings: [String] = ["swift"]) -> [File] {
    let base = root.appending(path: folder)
    let found = FileManager.default.enumerator(atPath: base.path())?.compactMap { $0 as? String } ?? []
    return found.filter { path in endings.contains { path.hasSuffix(".\($0)") } }.sorted().map { path in
      let text = (try? String(contentsOf: base.appending(path: path), encoding: .utf8)) ?? ""
      return File(path: "\(folder)/\(path)", lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    }
  }
}
