import Varlink

/// Notices that a call is not answered because the daemon answers nobody, as a process that was stopped does.
///
/// Some calls take long by themselves. So after a while a connection of its own asks for what is answered at once, and
/// the daemon is silent if that is not answered either.
public struct SilenceWatch: Sendable {
  private static let patience = Duration.seconds(4)
  private static let questionMax = Duration.seconds(1)

  private let pause: @Sendable (Duration) async throws -> Void
  private let tell: @Sendable (_ listener: Int32) -> Void

  /// A watch that begins with every call.
  ///
  /// - Parameters:
  ///   - pause: Waits; throws when its task is cancelled.
  ///   - tell: Called once in a call, with the process that began to listen on the socket. The call still waits.
  public init(
    pause: @escaping @Sendable (Duration) async throws -> Void, tell: @escaping @Sendable (_ listener: Int32) -> Void
  ) {
    (self.pause, self.tell) = (pause, tell)
  }

  /// Watches until the daemon was told of as silent.
  ///
  /// - Throws: When the task is cancelled, since the call was answered.
  func run(on socket: String, of listener: Int32) async throws {
    repeat { try await pause(Self.patience) } while try await answers(at: socket)
    try Task.checkCancellation()
    tell(listener)
  }

  /// Whether the daemon answers anybody. Where none listens any longer, the call itself ends.
  private func answers(at socket: String) async throws -> Bool {
    guard let client = try? VarlinkClient(to: VarlinkAddress(path: socket)) else { return true }
    defer { client.close() }
    return try await withThrowingTaskGroup(of: Bool.self) { [pause] group in
      group.addTask {
        let question = "org.varlink.service.GetInfo"
        _ = try? await client.call(question, NoParameters(), returning: ServiceInformation.self)
        return true
      }
      group.addTask {
        try await pause(Self.questionMax)
        return false
      }
      defer { group.cancelAll() }
      return try await group.next() ?? true
    }
  }
}
