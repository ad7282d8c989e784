extension Surroundings {
  /// Does something until it is done or a person presses Ctrl-C, whichever comes first; nil after Ctrl-C.
  ///
  /// Meanwhile `tick` is called once a second. After Ctrl-C the deed is cancelled and waited for; see ``Interrupts``
  /// for a deed that does not end.
  func untilInterrupted<Result: Sendable>(
    tick: @escaping @Sendable () -> Void = {}, _ deed: @escaping @Sendable () async throws -> Result
  ) async throws -> Result? {
    try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask { try await deed() }
      group.addTask {
        await interrupted()
        return nil
      }
      let ticker = Task {
        while !Task.isCancelled {
          try await time.sleep(.seconds(1))
          tick()
        }
      }
      defer {
        ticker.cancel()
        group.cancelAll()
      }
      return try await group.next() ?? nil
    }
  }
}
