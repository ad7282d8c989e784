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

  /// Sixteen lowercase hexadecimal digits, so that it is safe in a file's name.
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

extension FarmVideo {
  private enum CodingKeys: String, CodingKey {
    case id, title, state, size, sha256, links
  }

  /// Reads what a server says, and takes no id that is none: files are named after it, wherever that leads.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(String.self, forKey: .id)
    title = try values.decode(String.self, forKey: .title)
    state = try values.decode(State.self, forKey: .state)
    size = try values.decodeIfPresent(Int.self, forKey: .size)
    sha256 = try values.decodeIfPresent(String.self, forKey: .sha256)
    links = try values.decode(Links.self, forKey: .links)
    guard id.utf8.count == 16, id.utf8.allSatisfy(Set("0123456789abcdef".utf8).contains) else {
      throw DecodingError.dataCorruptedError(
        forKey: .id, in: values, debugDescription: "A video's id is sixteen lowercase hexadecimal digits.")
    }
  }
}
