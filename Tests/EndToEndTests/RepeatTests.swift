import Foundation
import NightjarClient
import NightjarWire
import Testing

extension EndToEndTests {
  /// Requests that a client sends again since it does not know whether they were accepted.
  @Suite struct RepeatTests {
    /// Nobody listens there, so what is sent there waits.
    private static let nowhere = "http://127.0.0.1:9/film"

    private func key(_ digit: String) -> String { String(repeating: digit, count: 32) }

    @Test func `an upload that was accepted is accepted again though its file is gone, and another one is not`()
      async throws
    {
      try await withHome { home in
        let file = home.folder + "/film"
        try Files.write(Data("film".utf8), to: file)
        try await home.start()
        let upload = ControlInterface.Upload.Parameters(
          key: key("a"), url: Self.nowhere, method: "PUT", headers: [], file: file)
        let first = try await home.call(ControlInterface.Upload.self, upload).id
        try FileManager.default.removeItem(atPath: file)

        let again = try await home.call(ControlInterface.Upload.self, upload).id

        var other = upload
        other.key = key("b")
        #expect(again == first)
        let refusal = await #expect(throws: (any Error).self) {
          try await home.call(ControlInterface.Upload.self, other)
        }
        #expect(refusal.map { "\($0)" }?.contains("No such file") == true, "it said: \(String(describing: refusal))")
      }
    }

    @Test func `a task that was accepted is accepted again though its file is gone`() async throws {
      try await withHome { home in
        let file = home.folder + "/film"
        try Files.write(Data("film".utf8), to: file)
        try await home.start()
        let (listening, asking) = (try DaemonConnection(to: home.socket), try DaemonConnection(to: home.socket))
        defer { for connection in [listening, asking] { connection.close() } }
        let itself = AppInterface.Program(name: "org.example.sender")
        var accepted: [Int64] = []
        for try await _ in try listening.replies(to: AppInterface.Attach.self, .init(program: itself)) {
          let session = try await asking.call(AppInterface.OpenSession.self, .init(session: "films"))
          let task = AppInterface.NewTask(
            key: key("c"), task: session.nextTask, direction: .upload, method: "PUT", url: Self.nowhere, headers: [],
            file: file)
          let order = AppInterface.Enqueue.Parameters(session: "films", task: task)
          accepted.append(try await asking.call(AppInterface.Enqueue.self, order).transfer)
          try FileManager.default.removeItem(atPath: file)

          accepted.append(try await asking.call(AppInterface.Enqueue.self, order).transfer)
          break
        }

        #expect(accepted.count == 2 && accepted.first == accepted.last)
      }
    }
  }
}
