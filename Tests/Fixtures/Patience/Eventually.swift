/// Something that a test waited for and that did not come.
public struct NeverHappened: Error, CustomStringConvertible {
  /// What was waited for, and for how long.
  public let description: String

  /// In these words.
  public init(description: String) { self.description = description }
}

/// Looks until there is something to be seen, and hands it back.
///
/// - Throws: ``NeverHappened`` after `patience`, which is generous: machines that run tests are busy.
public func eventually<Fact>(
  _ what: String, within patience: Duration = .seconds(60), _ look: () async throws -> Fact?
) async throws -> Fact {
  let deadline = ContinuousClock.now + patience
  while true {
    if let fact = try await look() { return fact }
    guard ContinuousClock.now < deadline else {
      throw NeverHappened(description: "waited for \(patience) in vain: \(what)")
    }
    try await Task.sleep(for: .milliseconds(15))
  }
}

/// Looks until something is so.
public func eventually(
  _ what: String, within patience: Duration = .seconds(60), isSo: () async throws -> Bool
) async throws {
  _ = try await eventually(what, within: patience) { try await isSo() ? true : nil }
}
