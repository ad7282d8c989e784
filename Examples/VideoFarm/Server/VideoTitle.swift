import Foundation
import HTTPTypes

/// What a video is called: one line of text that is not empty.
struct VideoTitle {
  let text: String

  /// Accepts a title from outside, without the spaces around it.
  init(_ offered: String) throws(Refusal) {
    let text = offered.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else { throw Refusal(.badRequest, "title-empty", "The title is empty; give it a word or two.") }
    guard text.count <= FarmLimits.titleLengthMax else {
      let most = FarmLimits.titleLengthMax
      throw Refusal(.badRequest, "title-long", "The title has \(text.count) characters; \(most) is the most.")
    }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw Refusal(.badRequest, "title-control", "The title contains a control character; write it on one line.")
    }
    self.text = text
  }
}
