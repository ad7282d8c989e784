import NightjarModel

/// The bounds of the core, in one place. Each that is a property can be set in the daemon's configuration.
public struct Limits: Hashable, Sendable {
  /// Transfers under way at once. One app has at most three quarters of the places that others leave, and at least one.
  public var runningMax = 32
  /// Transfers under way at one time with one host. The same share of them is an app's while others wait for the host.
  public var runningPerHostMax = 16
  /// The same for one session, or for all that an app queues without one; a session may set a bound of its own.
  public var runningPerSessionAndHostMax = 6
  /// Transfers that one app may have, including ended ones that it has not acknowledged. A new one without a session
  /// takes the place of the oldest such one that has ended.
  public var transfersPerAppMax = 200_000
  /// Bytes in the bodies of all requests that one app may have, including those of ended transfers that it has not
  /// acknowledged: memory and the database hold them.
  public var bodyBytesPerAppMax = 64 << 20
  /// Bytes of text in all requests that one app may have, counted likewise: URLs, header fields, labels, proxies and
  /// paths. So 200,000 tasks may have 1,342 bytes each, as much as a long signed URL.
  public var textBytesPerAppMax = 256 << 20
  /// Bytes in the staging area that one app may have: finished files and answers to uploads that it has not collected,
  /// partial downloads, and remnants, which go first. Above this bound none of its downloads begins anew; what was
  /// begun goes on. What has a destination and no session does not count: the daemon delivers that by itself.
  public var stagedBytesPerAppMax = 100 << 30
  /// Sessions that one app may have; a new one takes the place of one that is not open and has no tasks.
  public var sessionsPerAppMax = 1000
  /// Connections that one app, or one process that belongs to none, may have to the daemon's socket. There is room for
  /// 1024 in all.
  public var connectionsPerAppMax = 200
  /// Whether the machine's administrator forbids Background App Refresh: no setting of a person allows it then.
  public var isRefreshRestricted = false
  /// Apps and programs that are remembered; a new program displaces one that does not run and has no transfers.
  public var appsMax = 10_000
  /// Bytes of a request's body that are kept with it.
  public var requestBodyMax = 1 << 20
  /// Bytes of a request's URL, header fields, label and proxies together.
  public var requestTextMax = 64 << 10
  /// How many answers of a busy server count as interruptions of an app's task, and are retried, before one is taken
  /// for the answer. What has no session is retried until it is cancelled.
  public var serverErrorsMax = 8
  /// How many times in a row a broken answer or a failed TLS handshake is retried before it is final.
  public var doubtfulFailuresMax = 5

  /// How full the battery must be for discretionary transfers, in percent, unless it is charging.
  public var batteryMin = 20

  /// The wait after a failed attempt.
  public var retry = RetryPolicy(delayMin: .seconds(1), delayMax: .minutes(10))
  /// The longest wait after an attempt that has moved a mebibyte or more in vain, since nothing of it can be gone on
  /// with.
  public var refetchDelayMax = Duration.hours(6)
  /// The longest wait that a server may ask for with `Retry-After`.
  public var retryAfterMax = Duration.hours(24)
  /// The longest time for which a host that answers 429 or 503 with `Retry-After` is left alone by all that the same
  /// app has queued for it.
  public var throttleMax = Duration.minutes(10)
  /// The least wait after the disk was full.
  public var diskFullDelay = Duration.seconds(30)
  /// How much longer than its request timeout an attempt may be silent before it counts as lost.
  public var silenceMargin = Duration.seconds(60)
  /// How long stopping an attempt or delivering a file may take before it is asked for again.
  public var answerTimeout = Duration.minutes(10)

  /// How long a launched app may take to attach; an adopted one, too.
  public var attachTimeout = Duration.seconds(30)
  /// How long an app may take over the events of its background sessions.
  public var eventsTimeout = Duration.seconds(30)
  /// How long an app that was asked to end may take, before it is killed.
  public var endTimeout = Duration.seconds(5)
  /// How long an app may take over leaving the foreground (Apple's five seconds), not counting sleep.
  public var leaveTimeout = Duration.seconds(5)
  /// How long an app may take to stand still once told to: a process that waits for a disk does so only afterwards.
  public var suspendTimeout = Duration.seconds(60)
  /// How long background tasks may go on once their app has left the foreground, on the clock that stands still while
  /// the device sleeps.
  public var taskTime = Duration.seconds(180)
  /// How long they may go on if they were begun in an app that was launched or woken in the background.
  public var wokenTaskTime = Duration.seconds(10)
  /// How long before its end an app is told that the time of its background tasks is nearly up.
  public var taskWarning = Duration.seconds(5)
  /// The least time between two warnings to apps that memory is short.
  public var memoryWarningInterval = Duration.seconds(5)
  /// The pause between ending an app for lack of memory and measuring what that has freed.
  public var memoryPause = Duration.milliseconds(100)
  /// How long measuring apps' memory may take; without an answer by then, no more apps are ended.
  public var measureTimeout = Duration.seconds(10)
  /// How many percent of all memory the app in the foreground must take up to be ended for lack of memory.
  public var foregroundMemoryPercentMin = 10
  /// The least growth of boot time over awake time that counts as sleep: the two clocks are read one after the other.
  public var sleepMin = Duration.seconds(1)
  /// How long to wait for the answer whether a debugger holds up an app whose deadline has come.
  public var inspectTimeout = Duration.seconds(1)
  /// The pause between two checks whether a debugger still does.
  public var tracedPause = Duration.seconds(5)
  /// Background tasks that one app may have at one time.
  public var backgroundTasksMax = 1000
  /// How many bytes of a background task's name are kept: it is for people.
  public var backgroundTaskNameMax = 256
  /// Bytes of the view that an app shows.
  public var viewBytesMax = 256 << 10
  /// Bytes of what a person did in a view: the action's name and the fields of its form.
  public var actionBytesMax = 64 << 10
  /// The wait before an app that ended without acknowledging anything is launched again.
  public var relaunch = RetryPolicy(delayMin: .seconds(1), delayMax: .hours(1))
  /// How many launches into the background one app may use at once. Each interval below grants one more: enough for an
  /// app that queues a transfer whenever it is told of one, and a bound for one that does nothing else.
  public var launchesPerAppMax = 1000
  /// The time after which another launch is granted.
  public var launchInterval = Duration.seconds(15)
  /// How often telling an event may crash the app before the event is parked.
  public var crashesMax = 3
  /// Events sent to an app and not yet acknowledged, per session.
  public var tellsInFlightMax = 256

  /// How long a transfer waits for an answer of its app before it goes on without one; a data task is cancelled then.
  public var questionTimeout = Duration.hours(24)
  /// Decisions about challenges that are remembered for one session.
  public var answersPerSessionMax = 64

  /// How long an ended transfer that nobody collects is kept.
  public var keptFor = Duration.days(30)
  /// How long the end of a transfer may wait for the rest of its session before its app is told.
  public var restOfSessionMax = Duration.days(1)
  /// Transfers whose metrics are kept.
  public var metricsMax = 4096
  /// How long a remnant is kept: a download's bytes, or the URL under which a server keeps an upload's.
  public var remnantsKeptFor = Duration.days(30)
  /// How many of those are kept for one app; the oldest go first.
  public var remnantsPerAppMax = 1000
  /// Entries that are kept of one app's history; the oldest go first.
  public var historyPerAppMax = 100
  /// Local notifications that one app may have pending; the soonest are kept (Apple's 64).
  public var noticesPerAppMax = 64
  /// Notifications of one app that lie in the notification centre; the oldest go first.
  public var shownNoticesPerAppMax = 100
  /// Keys of one app's past notifications by which repeated requests are known; as many as it may have pending.
  public var pastNoticesPerAppMax = 64
  /// Bytes of a notification's texts, including what the app has put into it.
  public var noticeTextMax = 64 << 10
  /// How long an app may take over a fetch (Apple's thirty seconds), and over a task that refreshes it.
  public var fetchTimeout = Duration.seconds(30)
  /// How long an app may take over a processing task.
  public var processingTimeout = Duration.minutes(10)
  /// How long nobody must have used the device before processing tasks run on it away from its charger.
  public var idleMin = Duration.minutes(15)
  /// The least time between two fetches of an app that asks for as many as it may have.
  public var fetchIntervalMin = Duration.minutes(15)
  /// How long an app whose fetch has failed or was late is left alone.
  public var fetchRetry = RetryPolicy(delayMin: .minutes(15), delayMax: .hours(6))
  /// How many fetches an app is granted in a day, on average over all apps that want any.
  public var fetchesPerAppAndDay = 8
  /// The energy that all fetches may take from a battery in a day: an estimate, in joules.
  public var fetchJoulesPerDay = 600
  /// The bytes that all fetches may move in a day over networks that cost money.
  public var fetchExpensiveBytesPerDay = 50_000_000
  /// How long measuring a fetch's cost may take before the fetch is charged without it.
  public var meterTimeout = Duration.seconds(1)
  /// How long newly learned habits may wait before they are saved: the most that a crash can lose.
  public var habitsSaveInterval = Duration.hours(1)
  /// Decisions about fetches that are kept of one app; the oldest go first, but those to wait take up half at most
  /// while there are others.
  public var fetchDecisionsPerAppMax = 200
  /// Requests of refresh tasks that an app may have pending (Apple's one).
  public var refreshRequestsMax = 1
  /// Requests of processing tasks that an app may have pending (Apple's ten).
  public var processingRequestsMax = 10
  /// By how much the wall clock may be corrected without counting as set: nothing is fired twice where it goes back by
  /// that, and habits are learned on.
  public var clockSlack = Duration.seconds(60)
  /// Rows in one answer to a list.
  public var listMax = 500
  /// Bytes of apps' own text in one answer to a list; the row that reaches this is its last. A message may be sixteen
  /// times as long, and one byte may take six in it.
  public var listTextMax = 1 << 20

  /// The ordinary bounds.
  public init() {}
}

extension Limits {
  /// The wait after attempts in a row that have moved many bytes in vain: as after others at first.
  var refetch: RetryPolicy { RetryPolicy(delayMin: retry.delayMin, delayMax: max(refetchDelayMax, retry.delayMax)) }
}

/// The bounds that cannot be configured.
extension Limits {
  /// Bytes of the identifier of a session, or of a task that an app has asked for.
  static var identifierBytesMax: Int { 512 }
  /// Bytes of the command that starts a program again, each of its parts with a NUL. Linux starts none with a part of
  /// 128 KiB or more.
  static var relaunchBytesMax: Int { 64 << 10 }
  /// How long a program has, after a start of the daemon, to attach again before it is launched. Clients dial at least
  /// every two seconds.
  static var returnTimeout: Duration { .seconds(5) }
  /// Bytes of the name of what a person did in a view.
  static var actionNameBytesMax: Int { 256 }
  /// Decisions about challenges that are remembered for one transfer.
  static var answersPerTransferMax: Int { 16 }
  /// Notifications that are scheduled with one call: far more than are kept.
  static var noticesPerCallMax: Int { 4096 }
  /// Notifications in one list of the notification centre, and about how many bytes of text in all of them.
  static var listedNoticesMax: Int { 10_000 }
  static var listedNoticesTextMax: Int { 2 << 20 }
}

/// How long to wait after failures in a row: doubled from a least to a greatest delay, less up to a quarter at random.
public struct RetryPolicy: Hashable, Sendable {
  /// The wait after the first failure.
  public var delayMin: Duration
  /// The longest wait.
  public var delayMax: Duration

  /// A policy between two waits.
  public init(delayMin: Duration, delayMax: Duration) { (self.delayMin, self.delayMax) = (delayMin, delayMax) }

  /// The wait after the given number of failures in a row (at least one). `entropy` spreads it between three quarters
  /// and the whole of the doubled delay, so that many that failed together do not retry together.
  public func delay(afterFailures failures: Int, entropy: UInt64) -> Duration {
    let doublings = min(max(failures, 1) - 1, 20)
    let whole = min(delayMin * (1 << doublings), delayMax)
    return whole - whole / 4 * (Double(entropy >> 11) / Double(1 << 53))
  }
}

extension Limits {
  /// A bound that can be configured: under which name, and to what.
  public struct Setting<Value: Comparable & Sendable>: Sendable {
    /// Its name in the configuration: words with points between them.
    public let key: String
    /// The bound.
    public let path: any WritableKeyPath<Limits, Value> & Sendable
    /// From the least value with which the daemon still does its work. Zero is among them where it turns off only what
    /// is bounded.
    public let values: ClosedRange<Value>
  }

  /// The bounds that are numbers.
  public static let counts: [Setting<Int>] = [
    count("running.max", \.runningMax, from: 1), count("running.per.host.max", \.runningPerHostMax, from: 1),
    count("running.per.session.and.host.max", \.runningPerSessionAndHostMax, from: 1),
    count("transfers.per.app.max", \.transfersPerAppMax, from: 1),
    count("sessions.per.app.max", \.sessionsPerAppMax, from: 1),
    count("connections.per.app.max", \.connectionsPerAppMax, from: 1),
    count("body.bytes.per.app.max", \.bodyBytesPerAppMax),
    count("text.bytes.per.app.max", \.textBytesPerAppMax, from: 1024),
    count("staged.bytes.per.app.max", \.stagedBytesPerAppMax, from: 1),
    count("launches.per.app.max", \.launchesPerAppMax, from: 1, to: 1_000_000_000),
    count("apps.max", \.appsMax, from: 1),
    count("request.body.max", \.requestBodyMax), count("request.text.max", \.requestTextMax, from: 1024),
    count("server.errors.max", \.serverErrorsMax), count("doubtful.failures.max", \.doubtfulFailuresMax),
    count("crashes.max", \.crashesMax, from: 1), count("tells.in.flight.max", \.tellsInFlightMax, from: 1),
    count("answers.per.session.max", \.answersPerSessionMax, from: 1), count("list.max", \.listMax, from: 1),
    count("list.text.max", \.listTextMax, from: 1), count("metrics.max", \.metricsMax),
    count("battery.min", \.batteryMin, to: 100), count("remnants.per.app.max", \.remnantsPerAppMax),
    count("background.tasks.max", \.backgroundTasksMax), count("background.task.name.max", \.backgroundTaskNameMax),
    count("history.per.app.max", \.historyPerAppMax, from: 8),
    count("memory.foreground.percent.min", \.foregroundMemoryPercentMin, to: 100),
    count("view.bytes.max", \.viewBytesMax), count("action.bytes.max", \.actionBytesMax),
    count("notices.per.app.max", \.noticesPerAppMax), count("shown.notices.per.app.max", \.shownNoticesPerAppMax),
    count("past.notices.per.app.max", \.pastNoticesPerAppMax, from: 1), count("notice.text.max", \.noticeTextMax),
    count("fetch.decisions.per.app.max", \.fetchDecisionsPerAppMax),
    count("fetches.per.app.and.day", \.fetchesPerAppAndDay), count("fetch.joules.per.day", \.fetchJoulesPerDay),
    count("fetch.expensive.bytes.per.day", \.fetchExpensiveBytesPerDay),
    count("refresh.requests.max", \.refreshRequestsMax), count("processing.requests.max", \.processingRequestsMax),
  ]

  /// The bounds that are times, configured in seconds. A pause that is tried again after has a least, or a failure
  /// would be met again without end in no time; so does what an app or the daemon has to do within.
  public static let durations: [Setting<Duration>] = [
    time("retry.delay.min", \.retry.delayMin, from: pause), time("retry.delay.max", \.retry.delayMax, from: pause),
    time("refetch.delay.max", \.refetchDelayMax, from: pause), time("retry.after.max", \.retryAfterMax),
    time("throttle.max", \.throttleMax),
    time("disk.full.delay", \.diskFullDelay, from: pause),
    time("silence.margin", \.silenceMargin, from: .seconds(1)),
    time("answer.timeout", \.answerTimeout, from: .seconds(1)),
    time("attach.timeout", \.attachTimeout, from: .seconds(1)),
    time("events.timeout", \.eventsTimeout, from: .seconds(1)), time("end.timeout", \.endTimeout, from: pause),
    time("relaunch.delay.min", \.relaunch.delayMin, from: pause), time("launch.interval", \.launchInterval),
    time("relaunch.delay.max", \.relaunch.delayMax, from: pause),
    time("memory.warning.interval", \.memoryWarningInterval), time("memory.pause", \.memoryPause, from: pause),
    time("measure.timeout", \.measureTimeout, from: pause), time("leave.timeout", \.leaveTimeout, from: .seconds(1)),
    time("inspect.timeout", \.inspectTimeout, from: pause), time("traced.pause", \.tracedPause, from: pause),
    time("suspend.timeout", \.suspendTimeout, from: .seconds(1)), time("sleep.min", \.sleepMin, from: pause),
    time("task.time", \.taskTime), time("woken.task.time", \.wokenTaskTime), time("task.warning", \.taskWarning),
    time("clock.slack", \.clockSlack), time("question.timeout", \.questionTimeout),
    time("kept.for", \.keptFor, from: .minutes(1)), time("remnants.kept.for", \.remnantsKeptFor),
    time("rest.of.session.max", \.restOfSessionMax),
    time("fetch.timeout", \.fetchTimeout, from: .seconds(1)),
    time("processing.timeout", \.processingTimeout, from: .seconds(1)), time("idle.min", \.idleMin),
    time("fetch.interval.min", \.fetchIntervalMin), time("fetch.retry.delay.min", \.fetchRetry.delayMin),
    time("fetch.retry.delay.max", \.fetchRetry.delayMax), time("meter.timeout", \.meterTimeout, from: pause),
    time("habits.save.interval", \.habitsSaveInterval),
  ]

  /// The least wait before something is tried or looked at again.
  private static let pause = Duration.milliseconds(10)

  /// The greatest number leaves room for arithmetic without overflow.
  private static func count(
    _ key: String, _ path: any WritableKeyPath<Limits, Int> & Sendable, from least: Int = 0,
    to most: Int = 1_000_000_000_000_000
  ) -> Setting<Int> { Setting(key: key, path: path, values: least...most) }

  /// The longest time, thirty years, can be added to any date.
  private static func time(
    _ key: String, _ path: any WritableKeyPath<Limits, Duration> & Sendable, from least: Duration = .zero
  ) -> Setting<Duration> { Setting(key: key, path: path, values: least...(.seconds(1_000_000_000))) }
}
