import NightjarModel

/// What becomes of a file for which there is no room any more.
extension Attempt {
  /// Lets go of what the next attempt could not go on with: the database needs room before it can take the failure in, and
  /// what is of no use would keep it from that for good.
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
