/// A video as the farm's server describes it.
public struct FarmVideo: Decodable, Equatable, Sendable {
  /// Whether its movie can be downloaded yet.
  public enum State: String, Decodable, Sendable {
    case prepared  // Announced; its movie has not come yet.
    case stored  // Its movie and thumbnail can be downloaded.
  }

  /// Where the parts of a video are, as paths on the server.
  public struct Links: Decodable, Equatable, Sendable {
    /// The movie, to download or to upload.
    public let movie: String
    /// The thumbnail; nil until there is a movie.
    public let thumbnail: String?
  }

  /// Sixteen hexadecimal digits.
  public let id: String
  /// What people call it.
  public let title: String
  /// Whether its movie can be downloaded yet.
  public let state: State
  /// Bytes of the movie; nil until there is one.
  public let size: Int?
  /// The movie's SHA-256 in lowercase hexadecimal digits; nil until there is one.
  public let sha256: String?
  /// Where its parts are.
  public let links: Links
}
