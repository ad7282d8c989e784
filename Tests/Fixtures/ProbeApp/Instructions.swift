/// What the probe app is to do, as a test writes it down for it: `Documents/instructions.json`.
///
/// The end-to-end tests have this file, too, by a link: they write what the app reads.
struct Instructions: Codable {
  /// One transfer; its name tells it from all others for ever.
  struct Transfer: Codable {
    var name: String
    var url: String
    /// For an upload: the absolute path of the file to send.
    var file: String?
    /// For an upload: `data` sends the file's bytes from memory, `stream` from a stream; from the file if left out.
    var source: String?
    /// For an upload; `PUT` if left out.
    var method: String?
    /// The earlier transfer whose resume data, in `Documents/kept`, it goes on with.
    var resumes: String?
    /// Bytes after which it is cancelled, once in all lives; it then goes on with what it has left.
    var cancelsAfter: Int64?
    /// In how many seconds it may begin; at once if left out.
    var after: Double?
    /// What becomes of it then: `replace` sends `instead` in its place, `cancel` ends it; it goes out if left out.
    var delayed: String?
    var instead: String?
    /// Whether it is a data task, and what becomes of it once its answer's head has come: `becomeDownload`, `allow` or
    /// `cancel`.
    var onAnswer: String?
  }

  /// A certificate of its own and the key, in PEM.
  struct Identity: Codable {
    var certificate: String
    var key: String
  }

  /// A notification to schedule, once in all lives.
  struct Notice: Codable {
    var name: String
    /// In how many seconds it is due.
    var after: Double
    var badge: Int?
    /// Its title. One with a title is a request to the notification center, under its name, and is to be shown in the
    /// foreground, too; without it is a `UILocalNotification`.
    var title: String?
  }

  /// What it does when it is told to fetch.
  struct Fetch: Codable {
    /// What it finds: `newData`, `noData` or `failed`. If left out, the completion handler is never called.
    var result: String?
    /// The transfers that it queues first, each once in all lives.
    var queues: [Transfer]?
    /// The name of a file: the completion handler is called once it is gone.
    var waitsWhile: String?
    /// Whether the completion handler is called from another thread.
    var elsewhere: Bool?
    /// Whether the completion handler is called once more.
    var twice: Bool?
  }

  /// A task that it registers and submits at each launch.
  struct Task: Codable {
    var identifier: String
    var isProcessing: Bool?
    /// In how many seconds it may begin; at once if left out.
    var after: Double?
    /// The name of a file: the task is completed once it is gone.
    var waitsWhile: String?
  }

  /// The transfers to queue, each once.
  var transfers: [Transfer] = []
  /// What it does when it is told to fetch; without it, its delegate answers at once that there is nothing new.
  var fetch: Fetch?
  /// The least time between two fetches, in seconds, set at each launch.
  var fetchInterval: Double?
  /// The tasks that it puts off.
  var tasks: [Task]?
  /// The notifications to schedule at launch.
  var notices: [Notice]?
  /// The identifier of the background session; `probe` if left out.
  var session: String?
  /// The session's timeout for requests in seconds; iOS's default if left out.
  var requestTimeout: Double?
  /// The names of delegate calls in which the process dies, after having written them down.
  var diesIn: [String]?
  /// The process that is made to stand still just before a transfer is queued.
  var halts: Int32?
  /// Bytes after which any transfer is cancelled, so that what it has is kept.
  var cancelsAfter: Int64?
  /// The password of `anna`, for servers that want one.
  var password: String?
  /// What it makes of servers' certificates: `trust` accepts what is shown, `refuse` cancels the task, `reject` accepts
  /// it not; the system judges if left out.
  var certificates: String?
  /// What it shows to servers that insist on a certificate.
  var identity: Identity?
  /// Whether challenges are left without an answer.
  var keepsSilent: Bool?
  /// The port of this machine at which the session's proxy for plain HTTP listens.
  var proxyPort: Int?
  /// The name of a file: while it is there, a background task goes on that was begun in `didEnterBackground`.
  var worksWhile: String?
  /// Whether it writes down what it hears of the battery and of low power mode.
  var watchesPower: Bool?
  /// Whether it has a window.
  var shows: Bool?
  /// The app group in whose folder it locks a file for ever when it enters the background.
  var locksIn: String?
  /// Whether the process ends by itself once every transfer has ended.
  var quitsWhenDone: Bool?
  /// Whether that happens on another thread than the delegate's, whose call returns when the exit has begun.
  var quitsElsewhere: Bool?
}
