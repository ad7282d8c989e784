import NightjarWire
import Synchronization
import Varlink

/// A daemon of the test's own making: the real interface on a real socket, and answers as the test wants them. It can
/// be stopped and started again, and remembers what it held.
final class TestDaemon: Sendable {
  typealias Control = ControlInterface
  typealias Watcher = VarlinkCall<Control.Monitor.Parameters, Control.Monitor.Reply>

  struct State {
    var transfers: [Int64: Control.Transfer] = [:]
    var apps: [Control.App] = []
    var keys: [String: Int64] = [:]
    var downloads: [Control.Download.Parameters] = []
    var uploads: [Control.Upload.Parameters] = []
    var deeds: [String] = []
    var watchers: [Watcher] = []
    var logPath = ""
    var html: String?
    var snapshot: String?
    var records: [Control.Record] = []
    var device = Control.Device(network: .unmetered, constrained: false, power: .external, simulated: [])
    var refusal: VarlinkError?
    /// What is refused, by the deed, when nothing else is.
    var refusals: [String: VarlinkError] = [:]
    /// The process that it says it is.
    var pid: Int64 = 42
    /// How many requests to queue something are committed, but never answered.
    var answersToLose = 0
    var pageLength = 500
    /// How often an app is still listed with its process after it was told to end.
    var listingsUntilEnd = 0
    /// The process in which an app is there anew once it has ended; nil if it is launched by nobody.
    var successor: Int64?
    /// What every fetch comes to.
    var fetchOutcome = Control.FetchOutcome.newData
    var isFetchUnderWay = false
    /// Why every app but dev.a is not refreshed.
    var fetchObstacle = "backgroundRefreshOff"
    fileprivate var service: VarlinkService?
  }

  let socket: String
  private let state: Mutex<State>

  init(_ socket: String, _ arrange: (inout State) -> Void = { _ in }) throws {
    self.socket = socket
    var held = State()
    arrange(&held)
    state = Mutex(held)
    try start()
  }

  deinit { stop() }

  func start() throws {
    let service = try VarlinkService(
      .init(vendor: "Nightjar", product: "test", version: "1", url: ""), interfaces: [interface()])
    try service.start(on: [VarlinkListener(binding: VarlinkAddress(path: socket, mode: 0o600))])
    state.withLock { $0.service = service }
  }

  func stop() {
    let service = state.withLock { state in
      state.watchers = []
      defer { state.service = nil }
      return state.service
    }
    service?.stop()
  }

  func read<Value: Sendable>(_ look: (borrowing State) -> Value) -> Value { state.withLock { look($0) } }

  /// Changes a transfer and tells everybody who watches.
  func update(_ id: Int64, _ change: (inout Control.Transfer) -> Void) {
    let (watchers, transfer) = state.withLock { state in
      change(&state.transfers[id]!)
      return (state.watchers, state.transfers[id]!)
    }
    for watcher in watchers { watcher.reply(.init(transfer: transfer), continues: true) }
  }

  /// Tells everybody who watches why nothing goes on; with an empty reason, that it does.
  func stand(because reason: String) {
    for watcher in read({ $0.watchers }) { watcher.reply(.init(trouble: reason), continues: true) }
  }

  func changeDevice(_ change: (inout Control.Device) -> Void) -> Control.Device {
    state.withLock { state in
      change(&state.device)
      return state.device
    }
  }

  /// An app's process is gone, and everybody who watches is told.
  func end(_ id: String) {
    let (watchers, app) = state.withLock { state in
      let index = state.apps.firstIndex { $0.id == id }!
      (state.apps[index].state, state.apps[index].pid) = (.notRunning, nil)
      return (state.watchers, state.apps[index])
    }
    for watcher in watchers { watcher.reply(.init(app: app), continues: true) }
  }

  func remove(_ id: Int64) {
    let watchers = state.withLock { state in
      state.transfers[id] = nil
      return state.watchers
    }
    for watcher in watchers { watcher.reply(.init(removed: id), continues: true) }
  }

  private func interface() -> VarlinkInterface {
    var interface = Control.interface()
    serveTransfers(&interface)
    serveApps(&interface)
    serveDevice(&interface)
    serveNotices(&interface)
    serveFetches(&interface)
    return interface
  }

  private func serveTransfers(_ interface: inout VarlinkInterface) {
    interface.handle(Control.Download.self) { [weak self] call in
      self?.queue(call.parameters.key, call, .init(id: 0, of: call.parameters)) { $0.downloads.append($1) }
    }
    interface.handle(Control.Upload.self) { [weak self] call in
      self?.queue(call.parameters.key, call, .init(id: 0, of: call.parameters)) { $0.uploads.append($1) }
    }
    interface.handle(Control.Monitor.self, requiresMore: true) { [weak self] call in self?.watch(call) }
    interface.handle(Control.ListTransfers.self) { [weak self] call throws(VarlinkError) in
      guard let self else { return }
      try self.refuse()
      call.reply(self.page(call.parameters))
    }
    interface.handle(Control.ShowTransfer.self) { [weak self] call throws(VarlinkError) in
      guard let self else { return }
      call.reply(.init(transfer: try self.transfer(call.parameters.id)))
    }
    interface.handle(Control.Why.self) { [weak self] call throws(VarlinkError) in
      guard let self else { return }
      call.reply(.init(sentences: [try self.transfer(call.parameters.id).verdict, "That is all."]))
    }
    interface.handle(Control.WhyApp.self) { [weak self] call throws(VarlinkError) in
      let app = call.parameters.app
      try self?.refuse()
      guard self?.read({ $0.apps.contains { $0.id == app } }) == true else { throw Control.NoSuchApp(app: app).varlink }
      call.reply(.init(sentences: ["\(app) does not run."]))
    }
    interface.handle(Control.Pause.self) { [weak self] call throws(VarlinkError) in
      try self?.did("pause \(call.parameters.id)")
      call.reply()
    }
    interface.handle(Control.Resume.self) { [weak self] call throws(VarlinkError) in
      try self?.did("resume \(call.parameters.id)")
      call.reply()
    }
    interface.handle(Control.Cancel.self) { [weak self] call throws(VarlinkError) in
      try self?.did("cancel \(call.parameters.id)")
      call.reply()
    }
  }

  private func serveApps(_ interface: inout VarlinkInterface) {
    interface.handle(Control.Status.self) { [weak self] call in
      call.reply(
        .init(
          version: "1.2.3", pid: self?.read { $0.pid } ?? 42, home: "/h", socket: "/h/s", apps: 1, transfers: 3,
          running: 1, waiting: 2, online: false, degraded: ["no cgroups"],
          device: .init(network: .none, constrained: false, power: .battery, simulated: ["power"])))
    }
    interface.handle(Control.ListApps.self) { [weak self] call in
      call.reply(.init(apps: self?.listing() ?? []))
    }
    interface.handle(Control.Install.self) { [weak self] call throws(VarlinkError) in
      try self?.did("install \(call.parameters.path)")
      call.reply(.init(app: .init(id: "dev.example.App", name: "App", state: .notRunning, transfers: 0, waiting: 0)))
    }
    interface.handle(Control.Uninstall.self) { [weak self] call throws(VarlinkError) in
      try self?.did("uninstall \(call.parameters.app)")
      call.reply()
    }
    interface.handle(Control.Launch.self) { [weak self] call throws(VarlinkError) in
      try self?.did("launch \(call.parameters.app) \(call.parameters.arguments)")
      call.reply(.init(pid: 77))
    }
    interface.handle(Control.Terminate.self) { [weak self] call throws(VarlinkError) in
      try self?.did("terminate \(call.parameters.app)")
      call.reply()
    }
    interface.handle(Control.RemoveRecent.self) { [weak self] call throws(VarlinkError) in
      try self?.did("remove \(call.parameters.app)")
      call.reply()
    }
    interface.handle(Control.SimulateMemoryWarning.self) { [weak self] call throws(VarlinkError) in
      try self?.did("warn \(call.parameters.urgent ?? false)")
      call.reply(.init(apps: call.parameters.urgent == true ? [] : ["a", "b"]))
    }
    interface.handle(Control.ListRecords.self) { [weak self] call throws(VarlinkError) in
      try self?.refuse()
      let records = self?.read { $0.records } ?? []
      call.reply(.init(records: records.suffix(Int(call.parameters.limit ?? 100))))
    }
    interface.handle(Control.ShowView.self) { [weak self] call throws(VarlinkError) in
      try self?.refuse()
      call.reply(.init(number: 1, html: self?.read { $0.html }))
    }
    interface.handle(Control.ShowSnapshot.self) { [weak self] call in
      call.reply(.init(number: 1, html: self?.read { $0.snapshot }, hidden: false))
    }
    interface.handle(Control.LogPath.self) { [weak self] call throws(VarlinkError) in
      try self?.refuse()
      call.reply(.init(path: self?.read { $0.logPath } ?? ""))
    }
  }
}

extension TestDaemon {
  private func refuse() throws(VarlinkError) {
    if let refusal = read({ $0.refusal }) { throw refusal }
  }

  func did(_ deed: String) throws(VarlinkError) {
    try refuse()
    if let refusal = read({ $0.refusals[deed] }) { throw refusal }
    state.withLock { $0.deeds.append(deed) }
  }

  private func listing() -> [Control.App] {
    state.withLock { state in
      let told = Set(state.deeds)
      for index in state.apps.indices where told.contains("terminate \(state.apps[index].id)") {
        if state.listingsUntilEnd > 0 { state.listingsUntilEnd -= 1; continue }
        state.apps[index].pid = state.successor
        state.apps[index].state = state.successor == nil ? .notRunning : .background
      }
      return state.apps
    }
  }

  private func transfer(_ id: Int64) throws(VarlinkError) -> Control.Transfer {
    guard let transfer = read({ $0.transfers[id] }) else { throw Control.NoSuchTransfer(id: id).varlink }
    return transfer
  }

  private func page(_ parameters: Control.ListTransfers.Parameters) -> Control.ListTransfers.Reply {
    state.withLock { state in
      let rest = state.transfers.values.sorted { $0.id < $1.id }
        .filter { $0.id > parameters.after ?? 0 && (parameters.app ?? $0.app) == $0.app }
      return .init(transfers: Array(rest.prefix(state.pageLength)), complete: rest.count <= state.pageLength)
    }
  }

  private func watch(_ call: Watcher) {
    let open = state.withLock { state in
      state.watchers.append(call)
      return state.transfers.values.filter { $0.state != .succeeded && $0.state != .failed }.sorted { $0.id < $1.id }
    }
    for transfer in open { call.reply(.init(transfer: transfer), continues: true) }
    call.reply(.init(current: true), continues: true)
  }

  /// Commits a request, once for each key, and answers unless the answer is to be lost.
  private func queue<Parameters: Sendable, Reply: Accepting>(
    _ key: String, _ call: VarlinkCall<Parameters, Reply>, _ transfer: Control.Transfer,
    note: (inout State, Parameters) -> Void
  ) {
    if let refusal = read({ $0.refusal ?? $0.refusals["queue \(transfer.url)"] }) {
      call.fail(refusal)
      return
    }
    let (id, isLost) = state.withLock { state in
      note(&state, call.parameters)
      let id = state.keys[key] ?? Int64(state.keys.count + 1)
      state.keys[key] = id
      var transfer = transfer
      transfer.id = id
      if state.transfers[id] == nil { state.transfers[id] = transfer }
      state.answersToLose -= 1
      return (id, state.answersToLose >= 0)
    }
    if isLost { call.connection.close("lost on purpose") } else { call.reply(Reply(id: id)) }
  }
}

/// The reply to a request that queues something.
private protocol Accepting: Codable, Sendable {
  init(id: Int64)
}

extension ControlInterface.Download.Reply: Accepting {}
extension ControlInterface.Upload.Reply: Accepting {}

extension ControlInterface.Transfer {
  init(id: Int64, of order: ControlInterface.Download.Parameters) {
    self.init(
      id: id, app: "dev.nightjar.cli", direction: .download, url: order.url, label: "", state: .queued, count: 0,
      attempts: 0, destination: order.destination, verdict: "It is queued.")
  }

  init(id: Int64, of order: ControlInterface.Upload.Parameters) {
    self.init(
      id: id, app: "dev.nightjar.cli", direction: .upload, url: order.url, label: "", state: .queued, count: 0,
      attempts: 0, file: order.file, verdict: "It is queued.")
  }
}
