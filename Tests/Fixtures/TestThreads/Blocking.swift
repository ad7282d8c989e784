public import Testing

/// Gives each test that blocks its thread while it waits a thread of its own.
///
/// All tests of a run share as many threads as there are cores, and what a test waits for may need one of them as well:
/// when all of them block, nobody goes on until the first loses its patience.
public struct Blocking: TestTrait, SuiteTrait, TestScoping {
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let thread = OneThread(label: "nightjar.tests.blocking")
    defer { withExtendedLifetime(thread) {} }
    try await withTaskExecutorPreference(thread) { try await function() }
  }
}

extension Trait where Self == Blocking {
  /// This test, or each test of this suite, blocks while it waits: it has a thread of its own.
  public static var blocking: Self { Self() }
}
