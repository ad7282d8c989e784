/// What one transfer is for. Travels as the task's `taskDescription`, so every later life of the app can tell.
public enum Job: Hashable, Sendable, CustomStringConvertible {
  /// The movie of this video comes.
  case movie(String)
  /// The thumbnail of this video comes.
  case thumbnail(String)
  /// The movie of this video goes to the server.
  case upload(String)

  /// Reads a `taskDescription`; nil when it is none of ours.
  public init?(_ description: String?) {
    let words = description?.split(separator: " ") ?? []
    guard words.count == 2 else { return nil }
    switch words[0] {
    case "movie": self = .movie(String(words[1]))
    case "thumbnail": self = .thumbnail(String(words[1]))
    case "upload": self = .upload(String(words[1]))
    default: return nil
    }
  }

  /// `movie 0123456789abcdef`.
  public var description: String { "\(kind) \(video)" }

  /// The id of the video.
  public var video: String {
    switch self {
    case .movie(let id), .thumbnail(let id), .upload(let id): id
    }
  }

  /// `movie`, `thumbnail` or `upload`.
  public var kind: String {
    switch self {
    case .movie: "movie"
    case .thumbnail: "thumbnail"
    case .upload: "upload"
    }
  }

  /// What the file is called that a download becomes, or that an upload is sent from, under Documents.
  var fileName: String {
    switch self {
    case .movie(let id): "\(id).movie"
    case .thumbnail(let id): "\(id).png"
    case .upload(let id): "\(id).upload"
    }
  }
}
