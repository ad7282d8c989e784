extension String {
  /// The word that this was perhaps meant to be: the one with the fewest changes, at most two and a third of all
  /// letters; of several the first in the alphabet.
  package func nearest(among words: [String]) -> String? {
    let changesMax = Swift.min(2, utf8.count / 3)
    let near = words.filter { abs($0.utf8.count - utf8.count) <= changesMax }.map { ($0, changes(from: $0)) }
    return near.filter { $0.1 <= changesMax }.min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
  }

  /// How many letters have to be added, removed or replaced to make this of another (Levenshtein).
  private func changes(from other: String) -> Int {
    let letters = Array(other.utf8)
    var row = Array(0...letters.count)
    for (line, letter) in utf8.enumerated() {
      var corner = row[0]
      row[0] = line + 1
      for (column, with) in letters.enumerated() {
        let replaced = corner + (with == letter ? 0 : 1)
        corner = row[column + 1]
        row[column + 1] = Swift.min(replaced, corner + 1, row[column] + 1)
      }
    }
    return row[letters.count]
  }
}
