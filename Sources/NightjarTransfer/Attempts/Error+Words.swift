import NIOHTTP1
import NIOHTTP2

/// What libraries call their errors, in words for people: their descriptions are names of their source code, some with
/// a place in it.
extension Error {
  /// The error's name, taken apart: `ExcessiveContinuationFrames(file: "…` is "excessive continuation frames".
  var nameInWords: String {
    let error: any Error = (self as? NIOHTTP2Errors.StreamError)?.baseError ?? self
    return "\(error)".prefix { $0 != "(" }.takenApart
  }
}

extension HTTP2ErrorCode {
  /// Its name in RFC 9113, section 7, such as "protocol error".
  /// NIO's description of that is `HTTP2ErrorCode<0x1 ProtocolError>`.
  var words: String { debugDescription.drop { $0 != " " }.dropFirst().prefix { $0 != ">" }.takenApart }
}

extension HTTPParserError {
  /// What is wrong with an answer.
  var words: String {
    switch self {
    case .invalidConstant: "the answer does not begin with HTTP/1"
    case .invalidVersion: "the answer is of a version of HTTP that is not spoken here"
    case .invalidStatus: "the answer's status is no number of three digits"
    case .headerOverflow: "the answer's head is too long"
    case .invalidHeaderToken, .invalidCharactersUsed: "a field in the answer's head is malformed"
    case .invalidContentLength, .unexpectedContentLength: "the answer does not say, or says twice, how long it is"
    case .invalidChunkSize: "a chunk of the answer has no size that can be read"
    case .lfExpected, .strictModeAssertion: "a line of the answer does not end as lines do"
    case .closedConnection, .trailingGarbage: "more follows the answer's end"
    default: "the answer cannot be read"
    }
  }
}

extension StringProtocol {
  /// A name of source code as words of small letters.
  fileprivate var takenApart: String {
    let letters = Array(self)
    return letters.indices.reduce(into: "") { words, place in
      if Self.beginsWord(letters, at: place) { words += " " }
      words += letters[place].lowercased()
    }
  }

  /// Whether a capital follows a small letter, or is the last of several and has a small one behind it.
  private static func beginsWord(_ letters: [Character], at place: Int) -> Bool {
    guard place > 0, letters[place].isUppercase else { return false }
    let isLastOfSeveral = letters[place - 1].isUppercase && place + 1 < letters.count && letters[place + 1].isLowercase
    return letters[place - 1].isLowercase || isLastOfSeveral
  }
}
