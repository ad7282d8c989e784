import Synchronization
import Varlink

/// The service's side: follows each client through the tests and refuses what is out of order.
final class CertificationService: Sendable {
  private let expected = Mutex<[String: String]>([:])  // The next test of each client.

  func interface() throws -> VarlinkInterface {
    var interface = try VarlinkInterface(Certification.description)
    interface.answer("Start", taking: NoParameters.self) { [self] _, _ in start() }
    addScalars(to: &interface)
    addContainers(to: &interface)
    addFlags(to: &interface)
    interface.answer("End", taking: Certification.Client.self) { [self] (got, _) throws(VarlinkError) in
      try advance(got.client_id, "End", isRight: true)
      return Certification.End(all_ok: true)
    }
    return interface
  }

  private func addScalars(to interface: inout VarlinkInterface) {
    interface.answer("Test01", taking: Certification.Client.self) { [self] (got, _) throws(VarlinkError) in
      try advance(got.client_id, "Test01", isRight: true)
      return Certification.Truth(bool: true)
    }
    interface.answer("Test02", taking: Certification.Test02.self) { [self] (got, _) throws(VarlinkError) in
      try advance(got.client_id, "Test02", isRight: got.bool)
      return Certification.Number(int: 1)
    }
    interface.answer("Test03", taking: Certification.Test03.self) { [self] (got, _) throws(VarlinkError) in
      try advance(got.client_id, "Test03", isRight: got.int == 1)
      return Certification.Fraction(float: 1)
    }
    interface.answer("Test04", taking: Certification.Test04.self) { [self] (got, _) throws(VarlinkError) in
      try advance(got.client_id, "Test04", isRight: got.float == 1)
      return Certification.Text(string: "ping")
    }
    interface.answer("Test05", taking: Certification.Test05.self) { [self] (got, _) throws(VarlinkError) in
      try advance(got.client_id, "Test05", isRight: got.string == "ping")
      return Certification.scalars
    }
  }

  private func addContainers(to interface: inout VarlinkInterface) {
    interface.answer("Test06", taking: Certification.Test06.self) { [self] (got, _) throws(VarlinkError) in
      let scalars = Certification.Scalars(bool: got.bool, int: got.int, float: got.float, string: got.string)
      try advance(got.client_id, "Test06", isRight: scalars == Certification.scalars)
      return Certification.Structure(struct: Certification.scalars)
    }
    interface.answer("Test07", taking: Certification.Test07.self) { [self] (got, _) throws(VarlinkError) in
      try advance(got.client_id, "Test07", isRight: got.struct == Certification.scalars)
      return Certification.Map(map: Certification.map)
    }
    interface.answer("Test08", taking: Certification.Test08.self) { [self] (got, _) throws(VarlinkError) in
      try advance(got.client_id, "Test08", isRight: got.map == Certification.map)
      return Certification.Strings(set: Certification.set)
    }
    interface.answer("Test09", taking: Certification.Test09.self) { [self] (got, _) throws(VarlinkError) in
      try advance(got.client_id, "Test09", isRight: got.set == Certification.set)
      return Certification.Mine(mytype: Certification.mine)
    }
  }

  private func addFlags(to interface: inout VarlinkInterface) {
    interface.handle("Test10", taking: Certification.Test10.self, replying: Certification.Text.self, requiresMore: true)
    {
      [self] (call) throws(VarlinkError) in
      try advance(call.parameters.client_id, "Test10", isRight: call.parameters.mytype == Certification.mine)
      for reply in Certification.replies.dropLast() { call.reply(.init(string: reply), continues: true) }
      call.reply(.init(string: Certification.replies[9]))
    }
    interface.handle("Test11", taking: Certification.Test11.self, replying: NoParameters.self) {
      [self] (call) throws(VarlinkError) in
      let isRight = call.isOneway && call.parameters.last_more_replies == Certification.replies
      try advance(call.parameters.client_id, "Test11", isRight: isRight)
      call.reply()
    }
  }

  private func start() -> Certification.Client {
    let id = String(UInt64.random(in: .min ... .max), radix: 16)
    expected.withLock { $0[id] = "Test01" }
    return Certification.Client(client_id: id)
  }

  /// Makes sure that this is the client's next test, and that what it sent is right.
  private func advance(_ id: String, _ test: String, isRight: Bool) throws(VarlinkError) {
    let wanted = expected.withLock { $0[id] }
    guard let wanted else { throw VarlinkError("\(Certification.name).ClientIdError") }
    guard wanted == test, isRight else {
      expected.withLock { $0[id] = nil }
      let failure = Certification.Failure(
        wants: .string(wanted), got: .string(isRight ? test : "\(test), wrong values"))
      throw VarlinkError("\(Certification.name).CertificationError", failure)
    }
    expected.withLock { $0[id] = Self.following(test) }
  }

  private static func following(_ test: String) -> String? {
    switch test {
    case "Test11": "End"
    case "End": nil
    default: Int(test.dropFirst(4)).map { $0 < 9 ? "Test0\($0 + 1)" : "Test\($0 + 1)" }
    }
  }
}
