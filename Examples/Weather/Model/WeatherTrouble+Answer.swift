import Foundation

extension WeatherTrouble {
  static func missing(_ what: String, _ field: String) -> WeatherTrouble {
    WeatherTrouble(.unreadable, "The service's answer has no \(what) (\(field)).")
  }

  /// Where JSON stopped making sense.
  static func place(_ error: any Error) -> String {
    let context: DecodingError.Context? =
      switch error {
      case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context): context
      case DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context): context
      default: nil
      }
    let path = context?.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".") ?? ""
    return path.isEmpty ? "" : "What is wrong is \(path)."
  }

  /// A refusal, with what the service itself says of it.
  init(status: Int, answer: Data, city: String) {
    let said = (try? JSONDecoder().decode(RefusalAnswer.self, from: answer))?.message?.prefix(200)
    let quote = said.map { " It says: \($0)" } ?? ""
    self =
      switch status {
      case 401, 403: .init(.keyRefused, "The service wants a key that it knows, in its address as appid=KEY.\(quote)")
      case 404: .init(.cityUnknown, "The service knows no city “\(city)”.\(quote)")
      case 429: .init(.askedTooOften, "The service was asked too often.\(quote)")
      case 500...: .init(.refused, "The service has a trouble of its own (status \(status)).\(quote)")
      default: .init(.refused, "The service does not answer this question (status \(status)).\(quote)")
      }
  }
}

/// What the service says instead of the weather; its code is a number or a text, as it likes.
private struct RefusalAnswer: Decodable {
  var message: String?
}
