extension String {
  /// Copies UTF-8; nil if the bytes are not valid. Faster here than `String(validating:as:)`, which is generic.
  init?(checking bytes: UnsafeBufferPointer<UInt8>) {
    guard let span = try? UTF8Span(validating: bytes.span) else { return nil }
    self.init(copying: span)
  }
}
