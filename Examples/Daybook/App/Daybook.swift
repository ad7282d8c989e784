import Foundation

/// A person's notes, the newest first, kept in the app's Documents.
struct Daybook: Codable {
  /// One note.
  struct Entry: Codable {
    var id: Int
    var text: String
    var written: Date
    /// Whether it is done with.
    var isDone = false
  }

  private(set) var entries: [Entry] = []

  private static let textMax = 2000
  private static let entriesMax = 500

  /// What was kept; an empty book if there is no file yet.
  ///
  /// - Throws: When there is a file that cannot be read. It must not be written over.
  static func open(_ file: URL) throws -> Daybook {
    do {
      return try JSONDecoder().decode(Daybook.self, from: Data(contentsOf: file))
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return Daybook()
    }
  }

  func save(to file: URL) throws { try JSONEncoder().encode(self).write(to: file, options: .atomic) }

  /// How many are not done with.
  var openCount: Int { entries.count { !$0.isDone } }

  /// Whether no other note fits in.
  var isFull: Bool { entries.count >= Self.entriesMax }

  /// As much of a text as a note may have. In scalars, since one character may have any number of them.
  static func cut(_ text: String) -> String { String(text.unicodeScalars.prefix(textMax)) }

  mutating func write(_ text: String, at date: Date) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty, !isFull else { return }
    let id = (entries.map(\.id).max() ?? 0) + 1
    entries.insert(Entry(id: id, text: Self.cut(text), written: date), at: 0)
  }

  mutating func tick(_ id: Int) {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { return }
    entries[place].isDone.toggle()
  }

  mutating func remove(_ id: Int) { entries.removeAll { $0.id == id } }
}
