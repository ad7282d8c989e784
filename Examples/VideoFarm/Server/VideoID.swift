import Crypto
import GRDB

/// Names one video: sixteen lowercase hexadecimal digits.
///
/// Nothing else passes, so an id is safe in a path of the disk and of a URL.
struct VideoID: Hashable, Sendable, CustomStringConvertible {
  /// The sixteen digits.
  let description: String

  /// Reads an id that came from outside; nil unless it is sixteen lowercase hexadecimal digits.
  init?(_ text: some StringProtocol) {
    guard text.utf8.count == 16, text.utf8.allSatisfy(Self.digits.contains) else { return nil }
    self.description = String(text)
  }

  private static let digits = Set("0123456789abcdef".utf8)
}

extension VideoID {
  /// An id that no other video has, drawn from `entropy`.
  static func random(using entropy: inout some RandomNumberGenerator) -> VideoID {
    VideoID(hexadecimal(UInt64.random(in: .min ... .max, using: &entropy)))!
  }

  /// The id of the seeded video number `number`, the same in every farm.
  static func seeded(_ number: Int) -> VideoID {
    VideoID(SHA256.hash(data: Array("seed \(number)".utf8)).hexadecimal.prefix(16))!
  }
}

extension VideoID: DatabaseValueConvertible {
  /// The text that stands in the database.
  var databaseValue: DatabaseValue { description.databaseValue }

  /// Reads the text back; nil when it is no id.
  static func fromDatabaseValue(_ value: DatabaseValue) -> VideoID? {
    String.fromDatabaseValue(value).flatMap { VideoID($0) }
  }
}
