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

  /// What was kept, or an empty book.
  static func open(_ file: URL) -> Daybook {
    guard let data = try? Data(contentsOf: file) else { return Daybook() }
    return (try? JSONDecoder().decode(Daybook.self, from: data)) ?? Daybook()
  }

  func save(to file: URL) throws { try JSONEncoder().encode(self).write(to: file, options: .atomic) }

  /// How many are not done with.
  var openCount: Int { entries.count { !$0.isDone } }

  mutating func write(_ text: String, at date: Date) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty, entries.count < Self.entriesMax else { return }
    let id = (entries.map(\.id).max() ?? 0) + 1
    entries.insert(Entry(id: id, text: String(text.prefix(Self.textMax)), written: date), at: 0)
  }

  mutating func tick(_ id: Int) {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { return }
    entries[place].isDone.toggle()
  }

  mutating func remove(_ id: Int) { entries.removeAll { $0.id == id } }
}
