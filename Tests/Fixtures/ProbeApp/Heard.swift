/// One line of what the probe app has heard, in any of its lives.
///
/// The end-to-end tests have this file, too, by a link: they read what the app writes.
struct Heard: Codable {
  /// The delegate call, or `queued` and `handlerCalled` for what the probe itself did.
  var call: String
  var pid: Int32
  var task: Int?
  var name: String?
  /// Bytes of a finished file, or the count of progress.
  var count: Int64?
  var status: Int?
  /// The code of a `URLError`.
  var error: Int?
  /// The error in words.
  var detail: String?
  var session: String?
}
