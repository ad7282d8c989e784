extension StringProtocol {
  /// The parts between delimiters of ASCII, found among the bytes.
  ///
  /// What systems split by bytes must not be split by characters here: to Swift a delimiter is part of another
  /// character where an accent follows it, or where a letter such as U+0600, which joins what comes next, stands before
  /// it.
  package func split(
    ascii delimiter: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
  ) -> [SubSequence] {
    utf8.split(
      separator: UInt8(ascii: delimiter), maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences
    ).map { self[$0.startIndex..<$0.endIndex] }
  }
}
