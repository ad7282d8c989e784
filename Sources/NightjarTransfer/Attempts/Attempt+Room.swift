import NightjarModel

/// What becomes of a file when the disk is full.
extension Attempt {
  /// Cuts off what the next attempt cannot go on with: the database needs room before it can store the failure, and
  /// useless bytes would deny it that for good.
  func cutBack(_ then: @escaping @Sendable () -> Void) {
    if case .stopped = ending { return then() }  // All of it goes, or another attempt looks through it.
    guard let part else { return then() }
    let (file, usable) = (part.file, part.usable)
    onFiles { () throws(TransferFailure) in
      try file.truncate(to: usable)
    } then: { _ in
      if usable == 0 {
        self.part?.restart(nil, length: nil)
        self.reportLower()
      }
      then()
    }
  }
}
