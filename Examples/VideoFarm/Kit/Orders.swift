/// What a person asks of the app on its command line; nothing at all when the daemon launches it.
///
/// `VIDEOFARM_SERVER=http://127.0.0.1:8080 download-all upload /a/movie "Its title"`, or `pause all`, or `resume` and
/// the id of a video: each part optional and in any order.
public struct Orders: Equatable, Sendable {
  /// The server to use from now on.
  public private(set) var server: String?
  /// Whether to download everything that the server lists and that is not here yet.
  public private(set) var downloadAll = false
  /// Files to upload, and what they are called.
  public private(set) var uploads: [Upload] = []
  /// Movies whose downloads are to pause.
  public private(set) var pauses: [Selection] = []
  /// Movies whose downloads are to go on, or whose transfers have failed and are to be tried again.
  public private(set) var resumes: [Selection] = []
  /// Words that mean nothing.
  public private(set) var unknown: [String] = []

  /// A file to upload.
  public struct Upload: Equatable, Sendable {
    /// The file's path.
    public let path: String
    /// What the video is to be called.
    public let title: String
  }

  /// Reads the command line without the program's name, and the environment's `VIDEOFARM_SERVER` where the line is
  /// silent.
  public init(_ arguments: some Sequence<String>, environment: [String: String]) {
    var words = Array(arguments)[...]
    while let word = words.popFirst() {
      switch word {
      case "download-all": downloadAll = true
      case "upload" where words.count >= 2:
        uploads.append(Upload(path: words.removeFirst(), title: words.removeFirst()))
      case "pause" where !words.isEmpty: pauses.append(Selection(words.removeFirst()))
      case "resume" where !words.isEmpty: resumes.append(Selection(words.removeFirst()))
      case let word where word.hasPrefix("VIDEOFARM_SERVER="):
        server = String(word.dropFirst("VIDEOFARM_SERVER=".count))
      default: unknown.append(word)
      }
    }
    server = server ?? environment["VIDEOFARM_SERVER"]
  }
}
