/// Every bound of the server, in one place.
enum FarmLimits {
  /// Videos that one farm keeps.
  static let videosMax = 10_000
  /// Characters in a title.
  static let titleLengthMax = 200
  /// Bytes of a request that describes a video.
  static let descriptionSizeMax = 64 * 1024
  /// Bytes of one movie: 64 GiB.
  static let movieSizeMax = 64 * 1024 * 1024 * 1024
  /// Uploads that are not finished, or were not long ago.
  static let uploadsMax = 1000
  /// Seconds for which an upload can go on.
  static let uploadAgeMax = 24 * 60 * 60
  /// Bytes read from or written to the disk at once.
  static let chunkSize = 256 * 1024
  /// Connections served at once; further ones wait in the kernel's queue.
  static let connectionsMax = 512
  /// Seconds for which the catalogue is waited for while the farm before is letting go of it.
  static let catalogPatience = 5.0
  /// How long a graceful shutdown waits for answers that are under way.
  static let shutdownGrace = Duration.seconds(5)
  /// Bytes that the kernel may hold of a throttled upload, so that its sender sees the throttle.
  static let throttledReceiveBuffer = 64 * 1024
}
