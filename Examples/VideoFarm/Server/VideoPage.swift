/// A video as its page and the list of videos show it.
struct VideoPage: Encodable {
  enum State: String, Encodable {
    case prepared  // Has a title and waits for its movie.
    case stored  // Has its movie.
  }

  /// Where the parts of the video are, as paths on this server.
  struct Links: Encodable {
    let page: String
    /// GET answers the movie once it is stored; PUT stores or replaces it.
    let movie: String
    let thumbnail: String?

    private enum CodingKeys: String, CodingKey {
      case page = "self"
      case movie, thumbnail
    }
  }

  let id: String
  let title: String
  let state: State
  let created: String
  let size: Int?
  let sha256: String?
  let links: Links

  init(_ video: Video) {
    let page = Self.path(of: video.id)
    self.id = video.id.description
    self.title = video.title
    self.state = video.movie == nil ? .prepared : .stored
    self.created = HTTPMoment(seconds: video.created).iso
    self.size = video.movie?.size
    self.sha256 = video.movie?.sha256
    self.links = Links(page: page, movie: page + "/movie", thumbnail: video.movie.map { _ in page + "/thumbnail" })
  }

  static func path(of id: VideoID) -> String { "/videos/\(id)" }
}

/// Every video, the oldest first.
struct VideoList: Encodable {
  let videos: [VideoPage]
}
