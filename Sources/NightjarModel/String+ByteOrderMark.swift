extension String {
  /// The text without the mark for the order of its bytes (U+FEFF) that some editors put before it.
  package var withoutByteOrderMark: Substring { self[...].first == "\u{FEFF}" ? dropFirst() : self[...] }
}
