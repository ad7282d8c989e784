import Varlink

/// The client's side: makes the calls in order, each with what the one before returned.
struct CertificationClient {
  let client: VarlinkClient

  func run() async throws {
    let id = try call("Start", NoParameters(), Certification.Client.self).client_id
    let structure = try await runScalars(id)
    let mine = try runContainers(id, structure)
    let replies = try await runStream(id, mine)
    try client.oneway("\(Certification.name).Test11", Certification.Test11(client_id: id, last_more_replies: replies))
    let end = try call("End", Certification.Client(client_id: id), Certification.End.self)
    print(end.all_ok ? "Certification passed" : "Certification failed")
  }

  private func runScalars(_ id: String) async throws -> Certification.Scalars {
    let truth = try call("Test01", Certification.Client(client_id: id), Certification.Truth.self)
    let number = try call("Test02", Certification.Test02(client_id: id, bool: truth.bool), Certification.Number.self)
    let fraction = try call("Test03", Certification.Test03(client_id: id, int: number.int), Certification.Fraction.self)
    let text = try call("Test04", Certification.Test04(client_id: id, float: fraction.float), Certification.Text.self)
    let scalars = try await client.call(
      "\(Certification.name).Test05", Certification.Test05(client_id: id, string: text.string),
      returning: Certification.Scalars.self)
    let next = Certification.Test06(
      client_id: id, bool: scalars.bool, int: scalars.int, float: scalars.float, string: scalars.string)
    return try call("Test06", next, Certification.Structure.self).struct
  }

  private func runContainers(_ id: String, _ structure: Certification.Scalars) throws -> Certification.MyType {
    let map = try call("Test07", Certification.Test07(client_id: id, struct: structure), Certification.Map.self)
    let set = try call("Test08", Certification.Test08(client_id: id, map: map.map), Certification.Strings.self)
    return try call("Test09", Certification.Test09(client_id: id, set: set.set), Certification.Mine.self).mytype
  }

  private func runStream(_ id: String, _ mine: Certification.MyType) async throws -> [String] {
    let test = Certification.Test10(client_id: id, mytype: mine)
    var replies: [String] = []
    for try await reply in try client.replies(to: "\(Certification.name).Test10", test, of: Certification.Text.self) {
      replies.append(reply.string)
    }
    return replies
  }

  private func call<Reply: Decodable & Sendable>(
    _ test: String, _ parameters: some Encodable, _ type: Reply.Type
  ) throws -> Reply {
    let reply = try client.call("\(Certification.name).\(test)", parameters, returning: type, timeout: .seconds(30))
    print("\(test): \(reply)")
    return reply
  }
}
