import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

/// A server that takes upload after upload and acknowledges next to nothing of it.
struct TrifleTests {
  private static let length: Int64 = 300_000

  /// A dialogue that goes on with an upload of which the server has nothing yet.
  private func dialogue(appendMax: Int64?) -> UploadDialogue {
    let resource = UploadResource(url: "http://files.example/1", version: .six, appendMax: appendMax)
    let resume = ResumePoint(offset: 0, validator: nil, length: Self.length, upload: resource)
    return UploadDialogue(length: Self.length, versions: [.six], resume: resume)
  }

  /// What is said on an answer that acknowledges so much of an upload that is not complete.
  private func hear(_ offset: Int64, _ dialogue: inout UploadDialogue) throws -> UploadDialogue.Consequence {
    let fields = [HTTPField("Upload-Offset", "\(offset)"), HTTPField("Upload-Complete", "?0")]
    let address = try WebAddress("http://files.example/1")
    return dialogue.hear(AnswerHead(status: 204, headers: fields), at: address, retries: true)
  }

  @Test(arguments: [nil, 200_000] as [Int64?], [1, 49] as [Int64])
  func `a server that takes a trifle of each part is soon sent the whole anew`(most: Int64?, step: Int64) throws {
    var dialogue = dialogue(appendMax: most)

    var answers: Int64 = 0
    while dialogue.isAway, answers < 1000 {
      #expect(try hear(answers * step, &dialogue) == .next)
      answers += 1
    }

    #expect(dialogue.step == .create(.six))
    #expect(answers < 10)
  }

  @Test func `small parts that come to something are gone on with`() throws {
    var dialogue = dialogue(appendMax: 200_000)

    for offset in stride(from: Int64(0), through: 90_000, by: 300) { #expect(try hear(offset, &dialogue) == .next) }

    #expect(dialogue.step == .append(90_000..<290_000))
  }

  @Test func `a trifle now and then is no harm`() throws {
    var dialogue = dialogue(appendMax: 100_000)

    for offset: Int64 in [0, 1, 70_000, 70_001, 140_000, 140_001, 210_000] {
      #expect(try hear(offset, &dialogue) == .next)
    }

    #expect(dialogue.step == .append(210_000..<300_000))
  }

  @Test func `what is told meanwhile in small steps adds up`() throws {
    var dialogue = dialogue(appendMax: 100_000)
    let address = try WebAddress("http://files.example/1")
    _ = try hear(0, &dialogue)

    for offset: Int64 in 1...100_000 where offset % 7 == 0 {
      let head = AnswerHead(status: 104, headers: [HTTPField("Upload-Offset", "\(offset)")])
      #expect(dialogue.inform(head, at: address) == .acknowledged)
    }

    #expect(try hear(100_000, &dialogue) == .next)
    #expect(dialogue.step == .append(100_000..<200_000))
  }
}
