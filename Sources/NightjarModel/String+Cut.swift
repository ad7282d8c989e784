extension String {
  /// The longest beginning of it that takes at most so many bytes of UTF-8; an ellipsis follows if anything is left
  /// out.
  public func cut(toBytes count: Int) -> String {
    guard utf8.count > count else { return self }
    var end = utf8.index(startIndex, offsetBy: count)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return self[..<end] + "…"
  }
}
