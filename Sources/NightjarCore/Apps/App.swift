import NightjarModel

/// An app: its lives, one after the other, who is attached to it, and what it has yet to be told.
struct App: Sendable {
  /// Where in its life it stands.
  enum Life: Hashable, Sendable {
    /// No process of it runs.
    case notRunning
    /// The launcher was asked; its answer or the first attachment is due by then.
    case launching(pid: Int32?, by: Age)
    /// It runs.
    case running(pid: Int32?)
    /// It was told to stand still; the launcher's answer is due by then.
    case suspending(pid: Int32?, by: Age)
    /// None of its processes gets any processor time.
    case suspended(pid: Int32?)
    /// It was asked to end, or is being killed.
    case ending(pid: Int32?, by: Age)
  }

  /// A session that an attached client holds open.
  struct Open: Hashable, Sendable {
    /// The client.
    var holder: ConnectionID
    /// Whether the client is still to be told that all waiting events were sent.
    var owesFinish: Bool
    /// Whether its events wait while another session is told alone.
    var isHeldBack = false
  }

  var record: AppRecord
  var life = Life.notRunning
  var run = Run()
  var wakes = WakeQueue()
  /// Attached clients by connection: a bundle's processes, or a program's.
  var attachments = OrderedIndex<ConnectionID, Attachment>()
  /// Open sessions by name.
  var open = OrderedIndex<String, Open>()
  /// Sessions that the app was told to handle, and when their completion handlers must have been called.
  var handling = OrderedIndex<String, Age>()
  /// Until when it may go on with events that it says it was told of before it lost its connection. Set when it first
  /// says so, and cleared when it is told of events again.
  var claimedUntil: Age?
  /// The clients that were told to handle sessions, by session: they need not be told again.
  var announced = OrderedIndex<String, ConnectionID>()
  /// Sessions that were being told when the connection broke, each with whether it had been opened. If the app turns
  /// out to have crashed, they are blamed.
  var interrupted = OrderedIndex<String, Bool>()
  /// When an app that runs only to be told must have acknowledged something; set while anything is in flight.
  var acknowledgeBy: Age?
  /// Whether it has acknowledged anything since it was launched last.
  var hasAcknowledged = false
  /// How its last life ended, in words.
  var lastEnd = ""
  /// Whether that was a crash.
  var hasCrashed = false
  /// When it was suspended last.
  var suspendedAt = Age.zero
  /// What has happened to it lately.
  var history = History()
  /// Calls that are answered once the app runs.
  var launchTickets: [Ticket] = []
  /// The arguments with which a person wants it launched as soon as the present life has ended; nil if nobody does.
  var relaunchArguments: [String]?
  /// Arguments of a launch by a person while the app ran but nothing of it was attached. It may have been ending: if it
  /// does before it attaches, it is launched again with these. Nil for a life that this daemon began and that never
  /// attached.
  var unheardArguments: [String]?
  /// Until when a program may come back that was attached to the daemon before this one: it is not launched before.
  var returnsBy: Age?
  /// The calls that wait for its removal once it has ended; nil unless it is to be removed.
  var removalTickets: [Ticket]?
  /// Whether its bundle is gone from the disk already, so that nothing is left to remove there.
  var isGone = false
  /// Counts the orders to stand still: an answer to an earlier one is late.
  var stint = 0
  /// Counts the messages that it is in the background, which it confirms by their numbers.
  var transitions: Int64 = 0
  /// The number of the view that it shows; nil while it shows none.
  var view: Int64?
  /// The cost of its last errand, while that is being measured.
  var bill: Bill?

  init(_ record: AppRecord) { self.record = record }

  var id: AppID { record.installed.id }

  var isBundle: Bool {
    if case .bundle = record.installed.kind { true } else { false }
  }

  /// Whether it is to be removed and nothing of it runs that would have to end first.
  var mayBeRemoved: Bool { removalTickets != nil && (life == .notRunning || !isBundle) }

  /// Whether it runs without being in the foreground, so that it needs a right to run.
  var runsInBackground: Bool {
    guard isBundle, record.isBackground, case .running = life else { return false }
    return true
  }

  /// Whether it stands still, or is about to.
  var isSuspended: Bool {
    switch life {
    case .suspending, .suspended: true
    case .notRunning, .launching, .running, .ending: false
    }
  }

  /// Its name, if a process of it runs.
  var runningID: AppID? {
    if case .running = life { id } else { nil }
  }

  /// Whether it was asked to end, or is being killed.
  var isEnding: Bool {
    if case .ending = life { true } else { false }
  }

  /// Whether it has to be launched or woken to be told anything.
  var isIdle: Bool { isSuspended || life == .notRunning && attachments.isEmpty }

  /// Whether it is a program that was started and is not attached, so that it can be told nothing. A bundle would be
  /// ended; a program may take its time.
  var isUnattached: Bool {
    switch life {
    case .launching(.some, _), .running: !isBundle && attachments.isEmpty
    case .launching(nil, _), .notRunning, .suspending, .suspended, .ending: false
    }
  }

  /// Whether a process of it is in the foreground, or about to be.
  var isInForeground: Bool {
    guard isBundle, !record.isBackground else { return false }
    switch life {
    case .launching, .running: return true
    case .notRunning, .suspending, .suspended, .ending: return false
    }
  }

  var pid: Int32? {
    switch life {
    case .notRunning: attachments.first?.value.caller.pid
    case .launching(let pid, _), .suspending(let pid, _), .ending(let pid, _): pid
    case .running(let pid), .suspended(let pid): pid
    }
  }

  /// The process to show to people: its first or, where that is gone, the first that is attached.
  var livingPID: Int32? { run.isOrphaned ? attachments.first?.value.caller.pid : pid }

  /// When it must be looked at again, once it has been looked at now. `awake` is the clock of background tasks.
  func due(after now: Age, awake: Duration, _ limits: Fixed<Limits>) -> Age? {
    if let due = run.patience?.due, deadline(after: now, awake: awake) != nil { return due }
    return earliest(
      dueOfLife(after: now, awake: awake, limits),
      earliest(wakes.errandDue(warning: limits.value.taskWarning), bill?.by))
  }

  private func dueOfLife(after now: Age, awake: Duration, _ limits: Fixed<Limits>) -> Age? {
    let handled = handledBy
    switch life {
    case .notRunning, .suspended:
      guard !wakes.isEmpty else { return handled }
      let backOff = record.notBefore.flatMap { $0 > now ? $0 : nil }
      let back = returnsBy.flatMap { $0 > now ? $0 : nil }
      let launch = latest(backOff, LaunchBudget(limits.value).grant(paidUntil: record.paidUntil, at: now))
      return earliest(handled, latest(back, launch))
    case .launching(_, let by), .suspending(_, let by), .ending(_, let by): return by
    case .running:
      let onAwakeClock = earliest(
        runsInBackground ? run.backgroundTasks.due(warning: limits.value.taskWarning) : nil, run.entering?.by)
      return earliest(handled, earliest(acknowledgeBy, onAwakeClock.map { now + ($0 - awake) }))
    }
  }

  /// When the first completion handler must have been called.
  var handledBy: Age? { handling.isEmpty ? nil : handling.values.min() }
}
