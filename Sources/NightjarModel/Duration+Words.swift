extension Duration {
  /// For people: two units at the most, such as `1 min 5 s`, rounded up to a whole second.
  package var inWords: String {
    let seconds = Int64(inSeconds.rounded(.up))
    let units = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")] as [(Int64, String)]
    guard let first = units.firstIndex(where: { seconds >= $0.0 }) else { return "0 s" }
    var left = seconds
    var words: [String] = []
    for (size, name) in units[first...].prefix(2) where left >= size {
      words.append("\(left / size) \(name)")
      left %= size
    }
    return words.joined(separator: " ")
  }
}
