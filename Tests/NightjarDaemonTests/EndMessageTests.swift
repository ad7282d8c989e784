import NightjarModel
import NightjarWire
import Testing

/// How apps are told of ends.
@Suite struct EndMessageTests {
  @Test func `a failure goes out with the head of the answer whose body came, and without a file`() throws {
    let answer = Response(url: "https://a.example/1", status: 200, headers: [HTTPField("ETag", "\"1\"")])
    let ended = Message.Ended(
      number: 3, session: "main", task: 1, count: 7, expected: 10,
      outcome: .failed(TransferFailure(.resourceTimedOut, "it took long")), answer: answer)

    let told = try #require(Message.ended(ended).reply.ended)

    #expect(told.response == AppInterface.Response(answer))
    #expect(told.failure?.code == "resourceTimedOut" && told.file == nil)
    #expect(told.count == 7 && told.expected == 10)
  }
}
