extension String {
  /// Copies UTF-8, and nil for what is not. Faster here than `String(validating:as:)`, which is generic.
  init?(checking bytes: UnsafeBufferPointer<UInt8>) {
    guard let span = try? UTF8Span(validating: bytes.span) else { return nil }
    self.init(copying: span)
  }
}
