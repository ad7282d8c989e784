public import NightjarModel

/// How things look from outside. Looking changes nothing.
extension Supervisor {
  /// A transfer as it stands; nil once it is gone.
  public func view(of id: TransferID, at moment: Moment) -> TransferView? {
    var clock = clock
    return view(of: id, at: clock.age(at: moment))
  }

  /// An app as it stands; nil once it is gone.
  public func view(of id: AppID, at moment: Moment) -> AppView? {
    var clock = clock
    return view(of: id, at: clock.age(at: moment))
  }

  /// A notification as it lies in the notification centre; nil once it does not.
  public func banner(of id: NoticeID) -> Banner? { notices[id].flatMap(banner) }

  /// All that is remembered of fetches at a moment, and nothing else: records, requests, decisions and budget. The
  /// store would give the same back after a commit, except for what time has added to the budget since.
  public func fetchMemory(at moment: Moment) -> Memory {
    var (clock, memory) = (clock, Memory())
    (memory.fetches, memory.requests) = (fetches.allRecords, fetches.allRequests)
    memory.decisions = fetches.decisions.all
    memory.budget = budget(at: clock.age(at: moment))
    return memory
  }

  /// Transfers with a number above the given one, lowest first.
  public func transfers(after id: TransferID?, limit: Int) -> [TransferID] {
    transfers.all.entries(after: id, limit: limit).map(\.key)
  }

  /// What the device is like.
  public var device: DeviceView {
    DeviceView(conditions: transfers.offer.conditions, simulated: transfers.offer.simulated, sources: sources)
  }

  var status: StatusView {
    let waiting = apps.keys.sorted().reduce(0) { $0 + apps[$1]!.wakes.count - apps[$1]!.wakes.questionCount }
    return StatusView(
      apps: apps.count, transfers: transfers.all.count, running: transfers.runningCount, waiting: waiting,
      device: device)
  }

  /// The first of these transfers, as many as are wanted and one message has room for.
  func list(_ ids: [TransferID], atMost limit: Int, at now: Age) -> Answer {
    var (views, bytes, listed) = ([TransferView](), 0, 0)
    for id in ids.prefix(limit) where bytes < limits.listTextMax {
      listed += 1
      guard let view = view(of: id, at: now) else { continue }
      views.append(view)
      bytes += view.request.textBytes + (view.response?.textBytes ?? 0)
    }
    return .transfers(views, isComplete: listed == ids.count)
  }

  func view(of id: TransferID, at now: Age) -> TransferView? { transfers[id].map { view(of: $0, at: now) } }
  func view(of id: AppID, at now: Age) -> AppView? { apps[id].map { view(of: $0, at: now) } }

  func view(of transfer: Transfer, at now: Age) -> TransferView {
    let (state, refusal) = (transfer.state, transfer.refusal)
    return TransferView(
      id: transfer.id, request: transfer.request, state: refusal == nil ? state.look : .failed, count: transfer.count,
      expected: transfer.expected, attempts: state.attempts, response: transfer.response, file: state.result?.1,
      failure: refusal ?? state.failure,
      verdict: verdict(for: transfer, at: now), keptFor: transfer.keptUntil(limits).map { $0 - now })
  }

  func view(of app: App, at now: Age) -> AppView {
    let verdict = app.isIdle ? verdict(for: app, at: now) : verdict(forRunning: app)
    return AppView(
      installed: app.record.installed, state: app.look, pid: app.livingPID, leader: app.pid,
      transfers: transfers.count(of: app.id),
      waiting: app.wakes.count - app.wakes.questionCount, verdict: app.wakes.isEmpty ? nil : verdict,
      lastEnd: app.lastEnd.isEmpty ? nil : app.lastEnd, hasCrashed: app.hasCrashed,
      endReason: app.history.lastReason?.sentence,
      tracer: app.run.patience?.tracer, rights: app.rights(at: now, awake: moment.awake),
      card: app.record.card, view: app.view,
      isHidden: app.record.installed.isProtected && withholdsLooks,
      badge: app.record.settings.badges ? app.record.badge : 0,
      refreshes: mayRefresh(app))
  }

  /// Whether nobody may see what protected apps show: the screen is locked, or was when it was last heard of, or
  /// nothing was heard of it yet. Otherwise a lock that is unknown hides nothing: it may never be known.
  private var withholdsLooks: Bool {
    let conditions = device.conditions
    if conditions.isLocked || conditions.isLockAwaited { return true }
    let isStillLocked = wasLocked && transfers.offer.simulated.isLocked == nil
    return isStillLocked || stage == .recalling && conditions.lock == nil
  }
}

extension Response {
  /// How many bytes of text the server has put into it.
  fileprivate var textBytes: Int { url.utf8.count + headers.textBytes }
}

extension Transfer {
  /// The final answer, from when its body comes.
  fileprivate var response: Response? { state.result?.0 ?? (state.isUnderWay ? answer : nil) }

  /// The failure of an upload from the command line that the server did not take: an app would judge the answer itself.
  fileprivate var refusal: TransferFailure? {
    guard request.app == .commandLine, request.direction != .download, let (response, _) = state.result else {
      return nil
    }
    guard let meaning = meaning(of: response) else { return nil }
    return TransferFailure(.badServerResponse, "the server answered \(response.status)\(meaning)")
  }

  /// What the answer to an upload means; nil if that is that the server has the file.
  private func meaning(of response: Response) -> String? {
    if (200...299).contains(response.status) {
      return response.earlyInWords.map { " when \($0), so it cannot have the file" }
    }
    if state.resume?.upload.map({ $0.version == nil }) == true {
      return " where it led on to; it may have taken the file"
    }
    if AnswerHead.becomesGet(after: response.status, method: request.method) {
      return " and led nowhere; it may have taken the file"
    }
    // What a gateway says, or a server that broke down over it, need not be true of the file.
    let isDoubtful = [500, 502, 504].contains(response.status)
    return isDoubtful ? "; it may have taken the file all the same" : ", so it did not take the file"
  }
}

extension TransferState {
  /// Its state in one word, for its view.
  fileprivate var look: TransferView.State {
    switch phase {
    case .ended(.succeeded, _): .succeeded
    case .ended(.failed, _): .failed
    case .delivering: .delivering
    case .undelivered: isSuspended ? .suspended : .delivering
    case .queued, .waiting, .asking, .running, .stopping: isSuspended ? .suspended : lookUnsuspended
    }
  }

  private var lookUnsuspended: TransferView.State {
    switch phase {
    case .running, .stopping: .running
    case .waiting: .waiting
    case .asking: .asking
    case .queued, .delivering, .undelivered, .ended: .queued
    }
  }

  /// The server's answer and the file, once they are there.
  var result: (Response, StagedFile)? {
    switch phase {
    case .delivering(let response, let file), .undelivered(_, let response, let file, _): (response, file)
    case .ended(.succeeded(let response, let file), _): (response, file)
    case .queued, .running, .stopping, .waiting, .asking, .ended(.failed, _): nil
    }
  }

  fileprivate var failure: TransferFailure? {
    switch phase {
    case .waiting(_, let failure), .undelivered(_, _, _, let failure), .ended(.failed(let failure), _): failure
    case .queued, .running, .stopping, .asking, .delivering, .ended(.succeeded, _): nil
    }
  }
}

extension App {
  /// Its state in one word, for its view.
  fileprivate var look: AppView.State {
    switch life {
    case .notRunning: attachments.isEmpty ? .notRunning : .attached
    case .launching: .launching
    case .running where !isBundle: attachments.isEmpty ? .launching : .attached
    case .running: record.isBackground ? .background : .foreground
    case .suspending, .suspended: .suspended
    case .ending: .ending
    }
  }
}
