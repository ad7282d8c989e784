import NightjarModel

/// What can be done to transfers, whoever asks for it.
extension Supervisor {
  /// Queues a task of an open session. A key that is known already is answered as it was the first time.
  mutating func enqueue(
    _ request: TransferRequest, isSuspended: Bool, remnant: RequestKey? = nil, by caller: Caller, at now: Age,
    into turn: inout Turn
  ) throws(Refusal) -> Answer {
    let session = try heldSession(request.session ?? "", by: caller)
    if let known = transfers.id(ofKey: request.key) { return accepted(known) }
    guard request.task <= TransferRequest.taskMax else {
      throw .invalid(
        field: "task", reason: "\(request.task) is not a task identifier: the highest is \(TransferRequest.taskMax)")
    }
    guard request.task >= 1, sessions[session]?.tasks[request.task] == nil else {
      throw .invalid(field: "task", reason: "\(request.task) is not a task identifier that is free in this session")
    }
    var request = request
    if isInBackground(caller.app) { request.options.isFromBackground = true }
    try checkRoom(for: request)
    let resume = try takeRemnant(remnant, for: request, into: &turn)
    let id = try add(request, isSuspended: isSuspended, resume: resume, at: now, into: &turn)
    if let record = sessions[session]?.record, record.nextTask <= request.task {
      sessions[session]?.record.nextTask = request.task + 1
      turn.changes.keep(sessions[session]!.record)
    }
    cancelIfRemoved(id, of: caller.app, at: now, into: &turn)
    return resume.map { .resumed(id, $0) } ?? .accepted(id)
  }

  /// The answer to one who asks again for what is known: whether it goes on with what another has left, while that can be told.
  private func accepted(_ id: TransferID) -> Answer {
    guard let state = transfers[id]?.state, let point = state.resume else { return .accepted(id) }
    return point.heritage != nil || state.attempts == 0 ? .resumed(id, point) : .accepted(id)
  }

  /// Whether an app runs that was launched for its background work. One that a person launched, a program, and a
  /// process that nobody launched work in the foreground.
  private func isInBackground(_ id: AppID) -> Bool {
    guard let app = apps[id], app.isBundle, !app.run.isStray else { return false }
    return app.record.isBackground && app.life != .notRunning
  }

  /// Queues a transfer of no app's.
  mutating func enqueue(_ request: TransferRequest, at now: Age, into turn: inout Turn) throws(Refusal) -> Answer {
    if let known = transfers.id(ofKey: request.key) { return .accepted(known) }
    try request.check(limits)
    makeRoomForTransfer(of: request.app, into: &turn)
    return .accepted(try add(request, isSuspended: false, at: now, into: &turn))
  }

  private func checkRoom(for request: TransferRequest) throws(Refusal) {
    try request.check(limits)
    guard transfers.count(of: request.app) < limits.transfersPerAppMax else {
      throw .limitReached(what: "transfers of one app", limit: limits.transfersPerAppMax)
    }
    let bodyBytes = transfers.bodyBytes(of: request.app) + request.body.count
    guard request.body.isEmpty || bodyBytes <= limits.bodyBytesPerAppMax else {
      throw .limitReached(what: "bytes of the bodies of one app's requests", limit: limits.bodyBytesPerAppMax)
    }
  }

  private mutating func add(
    _ request: TransferRequest, isSuspended: Bool, resume: ResumePoint? = nil, at now: Age, into turn: inout Turn
  ) throws(Refusal) -> TransferID {
    try checkRoom(for: request)
    counters.transfer += 1
    var state = TransferState(isSuspended: isSuspended, resume: resume)
    state.asksBeforeBegin = request.isEarly(at: moment.wall) && request.session != nil
    let record = TransferRecord(id: TransferID(counters.transfer), request: request, born: now, state: state)
    let transfer = Transfer(record, at: now, wall: moment.wall)
    transfers.insert(transfer)
    enroll(transfer)
    turn.changes.add(record)
    turn.touchedTransfers.append(record.id)
    return record.id
  }

  /// Suspends a transfer: its connection is given up, what it has is kept. One that is suspended or over stays so.
  mutating func suspend(_ id: TransferID, into turn: inout Turn) {
    var attempt: Int?
    transfers.change(id, into: &turn) { state in
      guard !state.isSuspended, !state.isEnded else { return false }
      state.isSuspended = true
      if state.phase == .running { (state.phase, attempt) = (.stopping, state.attempts) }
      _ = state.withdraw()  // It asks again once it goes on.
      return true
    }
    if let attempt { turn.deeds.append(.stop(id, attempt: attempt)) }
  }

  /// Lets a transfer go on, at once if it waits for anything.
  mutating func resume(_ id: TransferID, into turn: inout Turn) {
    transfers.change(id, into: &turn) { state in
      guard !state.isEnded else { return false }
      let wasSuspended = state.isSuspended
      state.isSuspended = false
      return state.hurry() || wasSuspended
    }
  }

  /// Changes what was asked for. Nothing is changed if any of it cannot be.
  mutating func update(
    _ id: TransferID, _ changes: TaskChanges, at now: Age, into turn: inout Turn
  ) throws(Refusal) {
    guard let request = transfers[id]?.request.changed(by: changes) else { return }
    try request.check(limits)
    transfers.revise(id, request, wall: moment.wall, at: now, into: &turn)
  }

  /// Writes down from when on the resource timeouts run of transfers whose time came while no daemon ran: the next daemon could
  /// not tell any more if the machine was off in between.
  mutating func writeBelated(into turn: inout Turn) {
    for transfer in belated.compactMap({ transfers[$0] }) { turn.changes.revise(transfer.record) }
    belated = []
  }

  /// Ends a transfer as cancelled, unless it is over already.
  mutating func cancel(
    _ id: TransferID, as failure: TransferFailure = TransferFailure(.cancelled, "cancelled"), at now: Age,
    into turn: inout Turn
  ) {
    transfers.change(id, into: &turn) { state in
      guard !state.isEnded else { return false }
      state.phase = .ended(.failed(failure), at: now)
      return true
    }
  }
}

extension TransferRequest {
  /// Whether this can be sent as an HTTP request at all, and is small enough to be kept.
  func check(_ limits: Limits) throws(Refusal) {
    if let fault = url.faultAsAddress { throw .invalid(field: "url", reason: fault) }
    if let fault = faultInHead { throw .invalid(field: fault.field, reason: fault.reason) }
    guard body.count <= limits.requestBodyMax else {
      throw .limitReached(what: "bytes of a request's body", limit: limits.requestBodyMax)
    }
    guard textBytes <= limits.requestTextMax else {
      throw .limitReached(what: "bytes of a URL, its header fields, label and proxies", limit: limits.requestTextMax)
    }
    guard (0...1).contains(priority) else {
      throw .invalid(field: "priority", reason: "a priority lies between 0 and 1")
    }
    guard requestTimeout > .zero, resourceTimeout > .zero else {
      throw .invalid(field: "timeout", reason: "timeouts are longer than zero")
    }
    guard !options.showsAnswer || session != nil && direction == .download else {
      throw .invalid(field: "options.showsAnswer", reason: "only the download of a session has an app to show it to")
    }
    try options.check()
  }

  /// How many bytes of text an app has put into it, but for its body and the paths of files.
  var textBytes: Int {
    let proxies = options.proxies.map { [$0.http ?? "", $0.https ?? ""] + $0.exceptions } ?? []
    return proxies.reduce(url.utf8.count + label.utf8.count + headers.textBytes) { $0 + $1.utf8.count }
  }
}

extension [HTTPField] {
  /// How many bytes of text they have.
  var textBytes: Int { reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }
}

extension TransferOptions {
  fileprivate func check() throws(Refusal) {
    guard connectionsPerHostMax ?? 1 >= 1 else {
      throw .invalid(field: "options.connectionsPerHostMax", reason: "at least one connection is needed")
    }
    guard bytesPerSecondMax ?? 1 >= 1 else {
      throw .invalid(field: "options.bytesPerSecondMax", reason: "at least one byte a second is needed")
    }
    for url in [proxies?.http, proxies?.https].compactMap(\.self) where !url.isProxy {
      throw .invalid(
        field: "options.proxies", reason: "a proxy is written as http://host:port, or socks5://host:port")
    }
  }
}

extension String {
  /// Why nothing can be sent to it; nil for an absolute `http` or `https` URL.
  fileprivate var faultAsAddress: String? {
    let scheme = prefix(8).lowercased()
    guard scheme.hasPrefix("http://") || scheme == "https://", let authority = Authority(of: self) else {
      return "only absolute http: and https: URLs can be transferred"
    }
    if let fault = authority.fault { return fault }
    let isWhole = utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    return isWhole ? nil : "a space or a control character stands in it; write a space as %20"
  }
}

extension String {
  fileprivate var isProxy: Bool {
    let parts = split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 && ["http", "socks5", "socks5h"].contains(parts[0].lowercased())
      && Authority(of: self).map { $0.fault == nil } == true
  }
}
