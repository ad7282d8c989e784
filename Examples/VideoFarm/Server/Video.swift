import GRDB

/// One video: what is known of it, and of its movie once there is one.
struct Video: Codable, Equatable, FetchableRecord, PersistableRecord, Sendable {
  static let databaseTableName = "video"

  let id: VideoID
  let title: String
  /// Seconds since 1970.
  let created: Int
  var movie: Movie?

  /// A movie that is wholly on the disk.
  struct Movie: Codable, Equatable, Sendable {
    /// The file's name in the folder of movies; its thumbnail has the same name and `.png`.
    let file: String
    /// Bytes.
    let size: Int
    /// SHA-256 in lowercase hexadecimal digits.
    let sha256: String
    /// Seconds since 1970.
    let modified: Int

    var validators: Validators { Validators(tag: "\"\(sha256)\"", modified: HTTPMoment(seconds: modified)) }
    /// The thumbnail follows from the movie's hash, and so does its tag.
    var thumbnailValidators: Validators {
      Validators(tag: "\"thumbnail-\(sha256)\"", modified: HTTPMoment(seconds: modified))
    }
  }
}

extension VideoID: Codable {
  /// Reads the sixteen digits.
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let id = VideoID(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not sixteen hexadecimal digits")
    }
    self = id
  }

  /// Writes the sixteen digits.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
