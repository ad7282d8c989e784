import TestThreads
import Testing

@testable import Varlink

/// Mistakes of a program that uses the library stop it, so that they are found where they are made.
@Suite(.blocking) struct ServiceMistakeTests {
  @Test func `a handler for a method that is not described is a mistake`() async {
    await #expect(processExitsWith: .failure) {
      var interface = try VarlinkInterface("interface a.b\nmethod Do() -> ()")
      interface.answer("Done", taking: NoParameters.self) { _, _ in NoParameters() }
    }
  }

  @Test func `a second handler for a method is a mistake`() async {
    await #expect(processExitsWith: .failure) {
      var interface = try VarlinkInterface("interface a.b\nmethod Do() -> ()")
      interface.answer("Do", taking: NoParameters.self) { _, _ in NoParameters() }
      interface.answer("Do", taking: NoParameters.self) { _, _ in NoParameters() }
    }
  }

  @Test func `answering twice is a mistake`() async {
    await #expect(processExitsWith: .failure) {
      let test = try TestService()
      let client = try test.client()
      try client.send("org.example.test.Keep", TestService.Number(number: 1), returning: TestService.Number.self) { _ in
      }
      let call = try await test.kept.first()[0]
      call.reply(.init(number: 1))
      call.reply(.init(number: 2))
    }
  }

  @Test func `continuing a call that takes one reply is a mistake`() async {
    await #expect(processExitsWith: .failure) {
      let test = try TestService()
      let client = try test.client()
      try client.send("org.example.test.Keep", TestService.Number(number: 1), returning: TestService.Number.self) { _ in
      }
      try await test.kept.first()[0].reply(.init(number: 1), continues: true)
    }
  }

  @Test func `waiting for a reply inside a callback is a mistake`() async {
    await #expect(processExitsWith: .failure) {
      let test = try TestService()
      let client = try test.client()
      let done = Expected<Bool>()
      try client.send("org.example.test.Echo", TestService.Text(text: ""), returning: TestService.Text.self) { _ in
        _ = try? client.information()
        done.report(true)
      }
      try await done.first()
    }
  }
}
