public import Foundation

/// Why there is no new reading.
public struct WeatherTrouble: Error, Hashable, Codable, Sendable {
  /// What a program can act on.
  public enum Code: String, Hashable, Codable, Sendable {
    /// The address of the service is none; correct the setting.
    case badAddress
    /// Nobody answers there, or not in time; later perhaps.
    case unreachable
    /// The service wants a key that it knows; correct the setting.
    case keyRefused
    /// The service knows no such city; correct the setting.
    case cityUnknown
    /// The service wants to be asked less often.
    case askedTooOften
    /// The service has a trouble of its own, or does not like the question.
    case refused
    /// What came is no weather.
    case unreadable
  }

  /// What a program can act on.
  public let code: Code
  /// What was wrong and what to do, for a person.
  public let words: String

  /// Nobody answered a question.
  ///
  /// - Parameter reason: A sentence without the question's URL, which may hold a key.
  public init(silenceOf question: URL, because reason: String) {
    self.init(.unreachable, "The service at \(question.host ?? "") does not answer: \(reason)")
  }

  init(_ code: Code, _ words: String) { (self.code, self.words) = (code, words) }
}
