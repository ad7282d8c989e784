import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

/// Against a server that has cut an upload and then forgets how far it came, lies about it, or is too busy to tell.
@Suite(.timeLimit(.minutes(2))) struct UnreliableOffsetTests {
  @Test func `a lost 104 begins again`() async throws {
    try await withWorkshop { workshop, server in
      let collecting = Collecting().with { $0.mishaps = [.cutUninformed(after: 400_000)] }
      server.play("/x", .collect(collecting))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.count == 2)
      #expect(attempts[0].checkpoints.isEmpty)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }

  @Test func `an upload that the server has forgotten begins again`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .collect(Collecting().with { $0.mishaps = [.cut(after: 200_000), .forget] }))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.count == 2)
      #expect(attempts.last?.checkpoints.map { $0.upload == nil } == [true, false])
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }

  @Test func `an upload forgotten between question and part begins again`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .collect(Collecting().with { $0.mishaps = [.cut(after: 200_000), .none, .forget] }))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.count == 2)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }

  @Test func `the server's word on the offset counts`() async throws {
    try await withWorkshop { workshop, server in
      // It claims less than it has, refuses what begins there, and tells the truth.
      server.play("/x", .collect(Collecting().with { $0.mishaps = [.cut(after: 200_000), .claim(offset: 100_000)] }))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.count == 2)
      #expect(server.requests("/uploads/1").map(\.method) == ["HEAD", "PATCH", "PATCH"])
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }

  @Test func `a server that contradicts itself is sent the whole again`() async throws {
    try await withWorkshop { workshop, server in
      let lies = [100_000, 50_000, 60_000].map { Collecting.Mishap.claim(offset: $0) }
      server.play("/x", .collect(Collecting().with { $0.mishaps = [.cut(after: 200_000)] + lies }))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.count == 2 && attempts.last?.response?.status == 200, "\(attempts)")
      #expect(server.requests("/uploads/1").map(\.method) == ["HEAD", "PATCH", "PATCH", "PATCH"])
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }

  @Test func `a server that always claims another offset does not hold us in a circle`() async throws {
    try await withWorkshop { workshop, server in
      let lies = [Collecting.Mishap](repeating: .claim(offset: 7), count: 20)
      server.play("/x", .collect(Collecting().with { $0.mishaps = [.cut(after: 200_000)] + lies }))

      let attempts = try await persist(workshop, server, to: "/x", attemptsMax: 2)

      #expect(attempts.count == 2)
      #expect(attempts.last?.last?.isTerminal == true)
      #expect(server.requests("/uploads/1").count < 10)
    }
  }

  @Test(arguments: [Collecting.Mishap.claim(offset: 600_001), .silentOffset])
  func `an offset that cannot be is not believed`(lie: Collecting.Mishap) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .collect(Collecting().with { $0.mishaps = [.cut(after: 200_000), lie] }))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.count == 2)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }

  @Test func `a server that is busy when asked for the offset is asked again later`() async throws {
    try await withWorkshop { workshop, server in
      let busy = Collecting.Mishap.refuse(status: 503, headers: ["Retry-After": "3"])
      server.play("/x", .collect(Collecting().with { $0.mishaps = [.cut(after: 200_000), busy] }))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.map { $0.failure?.code } == [.connectionLost, .serverBusy, nil])
      #expect(attempts[1].last == .failed(attempts[1].failure!, retryAfter: .seconds(3)))
      #expect(server.requests("/uploads/1").last?.bodyLength == content.size - 200_000)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }

  @Test(arguments: [true, false])
  func `a server that cannot tell the offset for good is sent the whole again`(isOutlasted: Bool) async throws {
    try await withWorkshop { workshop, server in
      let busy = [Collecting.Mishap](repeating: .refuse(status: 500), count: 1)
      server.play("/x", .collect(Collecting().with { $0.mishaps = [.cut(after: 200_000)] + busy }))
      let source = Disk.write(content.bytes, to: "\(workshop.folder)/source")
      var order = TransferOrder.upload(source, to: server.url("/x"))
      let first = try await workshop.run(order)
      (order.attempt, order.resume) = (2, first.checkpoints.last)
      (order.retriesServerErrors, order.asksForOffset) = (isOutlasted, false)

      let second = try await workshop.run(order)

      #expect(second.response?.status == 200)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }

  @Test(arguments: [403, 409, 500, 503])
  func `an upload that must not be done twice ends where the server never tells the offset`(status: Int) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .collect(Collecting().with { $0.mishaps = [.swallow, .refuse(status: status)] }))
      let source = Disk.write(content.bytes, to: "\(workshop.folder)/source")
      var order = TransferOrder.upload(source, to: server.url("/x")) { $0.method = "POST" }
      let first = try await workshop.run(order)
      (order.attempt, order.resume, order.retriesServerErrors) = (2, first.checkpoints.last, false)

      let second = try await workshop.run(order)

      #expect(second.response?.status == status)
      #expect(second.response?.url == server.url("/x"))
      #expect(completed(server, "/x").count == 1)
    }
  }

  @Test(arguments: [[.cut(after: 200_000), .none], []] as [[Collecting.Mishap]], [500, 503])
  func `a server too busy for what it has taken is sent the whole again`(
    before: [Collecting.Mishap], status: Int
  ) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .collect(Collecting().with { $0.mishaps = before + [.outcome(status: status)] }))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.map { $0.failure?.code }.suffix(2) == [.serverBusy, nil])
      #expect(attempts.dropLast().last?.checkpoints.last?.upload == nil)
      #expect(attempts.last?.response?.status == 200)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256, content.sha256])
    }
  }

  /// How many answers of these, again and again, it takes until the dialogue is over or the server has the whole.
  private func answersTaken(_ dialogue: inout UploadDialogue, _ answers: [AnswerHead], atMost most: Int) throws -> Int {
    let address = try WebAddress("http://files.example/x")
    for count in 0..<most {
      switch dialogue.hear(answers[count % answers.count], at: address, retries: true) {
      case .next: continue
      case .answer, .complete, .unanswered, .fail: return count + 1
      }
    }
    return most
  }

  private func head(_ status: Int, _ fields: KeyValuePairs<String, String>) -> AnswerHead {
    AnswerHead(status: status, headers: fields.map { HTTPField($0.key, $0.value) })
  }

  @Test(arguments: [(400, false), (409, false), (412, false), (400, true), (409, true), (412, true)])
  func `who refuses the last part unread has every byte, who refuses it when all was sent has answered the upload`(
    status: Int, hasAll: Bool
  ) throws {
    let resource = UploadResource(url: "http://files.example/1", version: .six)
    let resume = ResumePoint(offset: 0, validator: nil, length: 100, upload: resource)
    var dialogue = UploadDialogue(length: 100, versions: [.six], resume: resume)
    let address = try WebAddress(resource.url)
    let complete: KeyValuePairs = ["Upload-Offset": "100", "Upload-Complete": "?1"]
    _ = dialogue.hear(head(204, ["Upload-Offset": "50"]), at: address, retries: true)

    let refused = dialogue.hear(head(status, complete), at: address, retries: true, hasAll: hasAll)

    #expect(refused == (hasAll ? .answer : .next))
    if !hasAll { #expect(dialogue.hear(head(204, complete), at: address, retries: true) == .complete) }
  }

  @Test func `a server that takes a part and denies it, over and over, does not hold us in a circle`() throws {
    let resource = UploadResource(url: "http://files.example/1", version: .six, appendMax: 100_000)
    let resume = ResumePoint(offset: 0, validator: nil, length: 600_000, upload: resource)
    var dialogue = UploadDialogue(length: 600_000, versions: [.six], resume: resume)
    _ = dialogue.hear(head(204, ["Upload-Offset": "0"]), at: try WebAddress(resource.url), retries: true)

    let answers = [head(204, ["Upload-Offset": "100000"]), head(409, ["Upload-Offset": "0"])]

    #expect(try answersTaken(&dialogue, answers, atMost: 1000) < 20)
  }

  @Test func `a server that would take ever less, and takes none, does not keep us asking`() throws {
    let resource = UploadResource(url: "http://files.example/1", version: .six)
    let resume = ResumePoint(offset: 0, validator: nil, length: 600_000, upload: resource)
    var dialogue = UploadDialogue(length: 600_000, versions: [.six], resume: resume)
    _ = dialogue.hear(head(204, ["Upload-Offset": "0"]), at: try WebAddress(resource.url), retries: true)

    let answers = (1...1000).map { head(413, ["Upload-Limit": "max-append-size=\(500_000 - $0)"]) }

    #expect(try answersTaken(&dialogue, answers, atMost: 1000) == 3)
  }

  @Test func `a server that takes less is sent less, and may come to take less again once it has taken some`() throws {
    let resource = UploadResource(url: "http://files.example/1", version: .six)
    let resume = ResumePoint(offset: 0, validator: nil, length: 600_000, upload: resource)
    var dialogue = UploadDialogue(length: 600_000, versions: [.six], resume: resume)
    let address = try WebAddress(resource.url)
    _ = dialogue.hear(head(204, ["Upload-Offset": "0"]), at: address, retries: true)

    for step in 1...5 {
      let (taken, most) = ((step - 1) * 10_000, 500_000 - step * 10_000)
      _ = dialogue.hear(head(413, ["Upload-Limit": "max-append-size=\(most)"]), at: address, retries: true)
      #expect(dialogue.step == .append(Int64(taken)..<Int64(min(600_000, taken + most))))
      _ = dialogue.hear(head(204, ["Upload-Offset": "\(taken + 10_000)"]), at: address, retries: true)
    }
  }

  @Test func `a server that takes little at a time gets the whole in small parts`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .collect(Collecting().with { $0.appendMax = 10_000 }))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.last?.response?.status == 200)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }

  @Test func `a server that takes next to nothing at a time is sent the whole as if it could not go on`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .collect(Collecting().with { $0.appendMax = 100 }))

      let attempts = try await persist(workshop, server, to: "/x", attemptsMax: 2)

      #expect(attempts.last?.last?.isTerminal == true)
      #expect(server.requests("/uploads/1").count < 5)
    }
  }

  @Test func `a server that comes to take next to nothing at a time is given up`() throws {
    let resource = UploadResource(url: "http://files.example/1", version: .six)
    let resume = ResumePoint(offset: 0, validator: nil, length: 600_000, upload: resource)
    var dialogue = UploadDialogue(length: 600_000, versions: [.six], resume: resume)

    let answer = head(204, ["Upload-Offset": "0", "Upload-Limit": "max-append-size=1"])
    _ = dialogue.hear(answer, at: try WebAddress(resource.url), retries: true)

    #expect(dialogue.step == .create(.six))
    #expect(dialogue.resource == nil)
  }

  @Test func `the rest of a file may be as small as it is`() throws {
    let resource = UploadResource(url: "http://files.example/1", version: .six)
    let resume = ResumePoint(offset: 599_000, validator: nil, length: 600_000, upload: resource)
    var dialogue = UploadDialogue(length: 600_000, versions: [.six], resume: resume)

    let answer = head(204, ["Upload-Offset": "599000", "Upload-Limit": "max-append-size=1000"])
    _ = dialogue.hear(answer, at: try WebAddress(resource.url), retries: true)

    #expect(dialogue.step == .append(599_000..<600_000))
  }
}
