/// What is moved, how fast, and when the blows fall.
struct Plan: Sendable {
  /// Movies that the farm has, and that the app downloads.
  let movies = 3
  /// Bytes of each movie, and of the one that the app uploads.
  let movieSize: Int64 = 24 << 20
  /// Bytes a second that the server gives to each transfer.
  let rate: Int64 = 3 << 19
  /// The app is killed when this part of all bytes has come.
  let appDiesAt = 1.0 / 3
  /// The daemon is killed when this part has come, and something of every movie is safe on the disk.
  let daemonDiesAt = 2.0 / 3
  /// How long any one fact is waited for, on however busy a machine.
  let patience = Duration.seconds(180)

  /// Bytes of all the movies together, the uploaded one too.
  var bytes: Int64 { movieSize * Int64(movies + 1) }
  /// How long it would take if nobody killed anything: the transfers run side by side.
  var ideal: Duration { .seconds(Double(movieSize) / Double(rate)) }
  /// The transfers that the app asks for: each movie, its thumbnail, and the upload.
  var transfers: Int { movies * 2 + 1 }
}
