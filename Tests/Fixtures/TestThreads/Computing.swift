public import Testing

/// Keeps tests that compute for long from everybody else.
///
/// All tests of a run share as many threads as there are cores, and a test that computes gives its thread back only
/// when it is through: a few of them at once, and nothing that waits for a server hears of it for half a minute. With
/// this trait they run one after the other, on a thread that is theirs.
public struct Computing: TestTrait, SuiteTrait, TestScoping {
  private static let thread = OneThread(label: "nightjar.tests.computing")

  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Self.thread) { try await function() }
  }
}

extension Trait where Self == Computing {
  /// This test, or each test of this suite, computes for long: it takes its turn on a thread of its own.
  public static var computing: Self { Self() }
}
