extension Duration {
  /// Nanoseconds as the database keeps them: rounded up, so that a deadline never comes early, and at most 292 years
  /// either way.
  var storedNanoseconds: Int64 {
    let (quotient, remainder) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Int64(clamping: remainder > 0 ? quotient + 1 : quotient)
  }
}
