/// The videos that an order is about.
public enum Selection: Hashable, Sendable {
  /// Every video that the app knows.
  case all
  /// The one with this id.
  case video(String)

  /// Reads a word of the command line: `all`, or a video's id.
  public init(_ word: String) { self = word == "all" ? .all : .video(word) }

  /// Whether it is about a video.
  public func contains(_ id: String) -> Bool { self == .all || self == .video(id) }
}
