import NightjarCore
import NightjarModel

/// Values as wild as their types allow.
extension Dice {
  private static let texts = [
    "", "plain", "two\nlines", "back\\slash", "a:b: c", "ends with \\", "nul\u{0}inside", "\r\n", " spaced ", "\\n",
    "e\u{301}", "\u{e9}", "👩🏽‍🚀", "'; DROP TABLE transfer; --", "a rather long text, which no small string can hold",
  ]

  mutating func text() -> String { any(of: Self.texts) }
  mutating func maybeText() -> String? { chance(oneIn: 2) ? nil : text() }
  mutating func number() -> Int64 {
    chance(oneIn: 8) ? any(of: [.min, .max, -1]) : .random(in: 0...5000, using: &self)
  }
  mutating func byteCount() -> Int64 { chance(oneIn: 8) ? (1 << 50) - 1 : .random(in: 0...5000, using: &self) }
  mutating func count() -> Int { Int.random(in: 0...9, using: &self) }
  mutating func flag() -> Bool { Bool.random(using: &self) }
  mutating func age() -> Age { Age(.nanoseconds(number())) }
  mutating func maybeAge() -> Age? { flag() ? age() : nil }
  mutating func fields() -> [HTTPField] { (0..<count() / 2).map { _ in HTTPField(text(), text()) } }

  mutating func historyEntry() -> HistoryEntry {
    HistoryEntry(
      id: .init(app: app(), number: Int64(count())), life: count(), at: Timestamp(nanoseconds: number()),
      kind: any(of: HistoryEntry.Kind.allCases), sentence: text())
  }

  mutating func stamp() -> FileStamp { FileStamp(size: number(), modified: number(), inode: next()) }
  mutating func file() -> StagedFile {
    StagedFile(path: text(), stamp: FileStamp(size: byteCount(), modified: number(), inode: next()))
  }
  mutating func response() -> Response { Response(url: text(), status: count(), headers: fields()) }
  mutating func failure() -> TransferFailure {
    TransferFailure(
      any(of: TransferFailure.Code.allCases), text(),
      forbidden: flag() ? nil : any(of: TransferFailure.ForbiddenNetwork.allCases))
  }

  mutating func validator() -> Validator? {
    any(of: [nil, .entityTag(text()), .lastModified(text())])
  }

  mutating func upload() -> UploadResource {
    UploadResource(
      url: text(), version: flag() ? nil : any(of: UploadVersion.allCases), appendMax: flag() ? nil : number(),
      namer: flag() ? nil : text())
  }

  mutating func resume() -> ResumePoint? {
    if flag() { return nil }
    var point = ResumePoint(offset: byteCount(), validator: validator(), length: flag() ? nil : number())
    if flag() { point.upload = upload() } else if flag() { point.provenance = Provenance(text: text()) }
    return point
  }

  mutating func phase() -> TransferState.Phase {
    any(of: [
      .queued, .running, .stopping, .waiting(until: age(), failure()), .delivering(response(), file()),
      .undelivered(until: maybeAge(), response(), file(), failure()),
      .ended(.succeeded(response(), file()), at: age()), .ended(.failed(failure()), at: age()),
    ])
  }

  mutating func state() -> TransferState {
    TransferState(
      phase: phase(), attempts: count(), deliveries: count(), failures: count(), serverErrors: count(),
      isSuspended: flag(),
      resume: resume())
  }

  /// The state of a transfer with this request: only what has a destination is delivered.
  mutating func state(of request: TransferRequest) -> TransferState {
    var state = state()
    switch state.phase {
    case .delivering where request.destination == nil, .undelivered where request.destination == nil:
      state.phase = .stopping
    default: break
    }
    return state
  }

  mutating func request() -> TransferRequest {
    var request = TransferRequest(
      key: RequestKey(high: next(), low: next()), app: app(), session: maybeText(), task: count(),
      direction: flag() ? .download : .upload(path: text(), stamp: stamp()), method: text(), url: text(),
      headers: fields(),
      body: chance(oneIn: 3) ? (0..<count() * 700).map { _ in UInt8(truncatingIfNeeded: next()) } : [],
      label: text(), destination: flag() ? nil : Destination(path: text(), overwrites: flag()),
      priority: Float.random(in: 0...1, using: &self), requestTimeout: .nanoseconds(number()))
    request.resourceTimeout = flag() ? nil : .nanoseconds(number() | 1)
    if flag() { request.options = options() }
    return request
  }

  private mutating func options() -> TransferOptions {
    var options = TransferOptions()
    (options.isDiscretionary, options.isFromBackground, options.allowsCellular) = (flag(), flag(), flag())
    (options.allowsExpensive, options.allowsConstrained) = (flag(), flag())
    options.earliestBegin = flag() ? nil : Timestamp(nanoseconds: number())
    (options.bytesExpectedToSend, options.bytesExpectedToReceive) = (flag() ? nil : number(), flag() ? nil : number())
    (options.connectionsPerHostMax, options.bytesPerSecondMax) = (flag() ? nil : count(), flag() ? nil : number())
    options.checksum = flag() ? nil : Checksum(.md5, digits: "00112233445566778899AABBCCDDEEFF")
    options.tlsMinimum = flag() ? nil : TLSVersion.allCases.randomElement(using: &self)
    (options.showsAnswer, options.sessionFields) = (flag(), (0..<count() / 2).map { _ in text() })
    if flag() {
      options.proxies = Proxies(
        http: flag() ? nil : text(), https: flag() ? nil : text(), exceptions: (0..<count() / 2).map { _ in text() })
    }
    return options
  }

  /// That of a transfer with a number below all that are given out.
  mutating func remnant() -> Remnant {
    var point = ResumePoint(offset: byteCount(), validator: validator(), length: flag() ? nil : number())
    if flag() { point.upload = upload() } else if flag() { point.provenance = Provenance(text: text()) }
    return Remnant(
      key: RequestKey(high: next(), low: next()), app: app(), url: text(), source: point.upload == nil ? nil : stamp(),
      transfer: TransferID(~(number() & .max)), point: point, born: age())
  }

  mutating func simulated() -> SimulatedConditions {
    SimulatedConditions(
      network: flag() ? nil : any(of: Conditions.Network.allCases), isConstrained: any(of: [nil, true, false]),
      power: flag() ? nil : any(of: Conditions.Power.allCases), battery: any(of: [nil, 0, 15, 100]),
      isCharging: any(of: [nil, true, false]), isLowPower: any(of: [nil, true, false]),
      isLocked: any(of: [nil, true, false]))
  }

  mutating func app() -> AppID { AppID("dev.nightjar.App\(count())") }
  mutating func session() -> SessionID { SessionID(app: app(), identifier: text()) }

  mutating func appRecord(_ id: AppID) -> AppRecord {
    let kind: InstalledApp.Kind =
      flag() ? .bundle(path: text(), executable: text()) : .program(relaunch: (0..<count() / 2).map { _ in text() })
    let installed = InstalledApp(
      id: id, displayName: text(), kind: kind, exitsOnSuspend: flag(), isProtected: flag(),
      modes: (0..<count() / 2).map { _ in text() })
    var record = AppRecord(
      installed: installed, life: count(), isBackground: flag(), failures: count(), notBefore: maybeAge(),
      paidUntil: maybeAge())
    record.card = Card(
      used: flag() ? Int64(count()) : nil, snapshot: flag() ? Int64(count()) : nil, isStale: flag(), isRemoved: flag())
    record.settings = AppSettings().changed(
      by: SettingsChange(refreshes: flag(), alerts: flag(), sounds: flag(), badges: flag()))
    (record.badge, record.attachedLife) = (count(), count())
    record.pastNotices = (0..<count() % 3).map { _ in RequestKey(high: next(), low: next()) }
    return record
  }

  mutating func noticeRequest() -> NoticeRequest {
    var content = NoticeContent()
    (content.title, content.body) = (maybeText(), maybeText())
    (content.action, content.hasAction) = (maybeText(), flag())
    (content.launchImage, content.sound, content.info) = (maybeText(), maybeText(), maybeText())
    content.badge = count()
    let zone = flag() ? NoticeTime.Zone(name: text(), offset: any(of: [-86_400, 3600, 86_400])) : nil
    var time = NoticeTime(
      at: Timestamp(seconds: Int64(count()) * 900_000), zone: zone,
      interval: flag() ? any(of: CalendarUnit.allCases) : nil)
    if time.interval != nil, flag() { time.days = (0...Int64(count() % 5)).map { 60_000 + $0 * 30 } }
    if time.interval != nil, time.days.isEmpty { time.step = any(of: [1, 2, 100]) }
    return NoticeRequest(
      key: RequestKey(high: 0, low: UInt64(count())), identifier: maybeText(), app: app(), time: time,
      calendar: maybeText(), content: content)
  }

  mutating func firedNotice(_ id: NoticeID) -> FiredNotice {
    var request = noticeRequest()
    if flag() { request.time = nil }
    let stage: FiredNotice.Stage = flag() ? .shown(isSeen: flag()) : .told(isTapped: flag())
    return FiredNotice(id: id, request: request, firedAt: Timestamp(nanoseconds: number()), stage: stage)
  }

  mutating func fetchRecord(_ app: AppID) -> FetchRecord {
    var record = FetchRecord(app: app)
    (record.interval, record.open) = (flag() ? .seconds(count()) : nil, flag() ? number() : nil)
    (record.lastBegin, record.begunAt) = (flag() ? Timestamp(nanoseconds: number()) : nil, maybeAge())
    (record.lastFresh, record.freshAt) = (flag() ? Timestamp(nanoseconds: number()) : nil, maybeAge())
    record.lastOutcome = flag() ? any(of: FetchOutcome.allCases) : nil
    record.lastDuration = .milliseconds(count())
    (record.counts.newData, record.counts.noData) = (count(), count())
    (record.counts.failed, record.counts.late) = (count(), count())
    (record.backOff, record.cost) = (BackOff(failures: count(), notBefore: maybeAge()), fetchCost())
    record.taskBackOff = BackOff(failures: count(), notBefore: maybeAge())
    record.updates = UpdateRate(changes: Double(count()), hours: Double(count()) + 1, observations: Double(count()))!
    return record
  }

  mutating func budget() -> FetchBudget {
    let accounts = (0..<3).map { _ in
      FetchBudget.Account(perDay: Double(count()) + 0.5, left: Double(count()) / 9, price: -Double(count()) / 3)
    }
    return FetchBudget(accounts: accounts, days: Double(count()), at: age())
  }

  mutating func fetchCost() -> FetchCost {
    FetchCost(
      wall: .milliseconds(count()), cpu: .microseconds(count()), received: byteCount(), sent: byteCount(),
      joules: Double(count()) / 3)
  }

  mutating func backgroundRequest() -> BackgroundRequest {
    BackgroundRequest(
      identifier: text(), kind: any(of: BackgroundRequest.Kind.allCases),
      earliestBegin: flag() ? Timestamp(nanoseconds: number()) : nil, needsNetwork: flag(), needsPower: flag())
  }

  mutating func fetchDecision(_ number: Int64) -> FetchDecision {
    let weight = FetchWeight(
      score: Double(count()) / 7, threshold: 0.1, probability: Double(count()) / 11, age: .seconds(count()),
      updatesPerHour: Double(count()), value: 0.5)
    let obstacles = (0..<count() / 2).map { _ in
      FetchObstacle(
        any(of: FetchObstacle.Code.allCases), until: flag() ? Timestamp(nanoseconds: self.number()) : nil)
    }
    var decision = FetchDecision(
      number: number, app: app(), at: Timestamp(nanoseconds: self.number()),
      verdict: any(of: FetchDecision.Verdict.allCases), weight: flag() ? weight : nil, obstacles: obstacles,
      window: flag() ? self.number() : nil, request: maybeText())
    decision.outcome = flag() ? any(of: FetchOutcome.allCases) : nil
    decision.cost = flag() ? fetchCost() : nil
    return decision
  }
}
