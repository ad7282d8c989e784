import Dispatch
import Foundation
import Glibc
import Logging
import NightjarModel
import NightjarWire
import Synchronization
import Testing
import Varlink

@testable import NightjarCore
@testable import NightjarDaemon
@testable import NightjarPlatform
@testable import NightjarTransfer

/// What clients are answered.
@Suite final class FrontTests {
  private let mailbox = Mailbox()
  private let tickets = Tickets()
  private let folder = "/tmp/nightjar-front-\(UInt64.random(in: 0 ..< .max))"
  private let home: Home
  private let lookout: Lookout
  private var services: [VarlinkService] = []

  /// Whoever waits in vain for what comes in is let go after a minute.
  init() throws {
    (home, lookout) = (try Home(environment: ["NIGHTJAR_HOME": folder]), try Lookout())
    DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [weak mailbox] in mailbox?.finish() }
  }

  deinit {
    services.forEach { $0.stop() }
    lookout.stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private final class Told: Sendable {
    private let names = Mutex<[String]>([])
    func note(_ name: String) { names.withLock { $0.append(name) } }
    var all: [String] { names.withLock { $0 } }
  }

  @Test func `an app whose upload cannot be read waits for its answer while the database cannot be written`() throws {
    let (_, address) = try service(front())
    let client = try VarlinkClient(to: VarlinkAddress(address))
    let told = Told()

    tickets.stand(because: "The disk is full.")
    let task = AppInterface.NewTask(
      key: String(repeating: "0", count: 32), task: 1, direction: .upload, method: "PUT", url: "http://localhost/",
      headers: [], file: "nowhere")
    try client.send(
      AppInterface.Enqueue.name, AppInterface.Enqueue.Parameters(session: "s", task: task), returning: Nothing.self
    ) { [mailbox] result in
      if case .failure(let error as VarlinkError) = result { told.note(error.name) }
      mailbox.finish()
    }
    let waiting = mailbox.take() ?? []
    for case .event(.ordered(.recall, let ticket)) in waiting {
      tickets.redeem(ticket, .refused(.noSuchTransfer(TransferID(0))))
    }
    while mailbox.take() != nil {}
    client.close()

    #expect(waiting.count == 1)
    #expect(told.all == ["dev.nightjar.App.InvalidRequest"])
  }

  @Test func `a program that could not be told from others of another pid namespace is refused, and why`() throws {
    let (_, address) = try service(front(), for: Peer(pid: 0, uid: getuid(), app: nil))
    let client = try VarlinkClient(to: VarlinkAddress(address))
    let told = Told()

    try client.stream(
      AppInterface.Attach.name, AppInterface.Attach.Parameters(program: .init(name: "tool")), of: Nothing.self,
      each: { _ in },
      end: { [mailbox] error in
        if let error = error as? VarlinkError { told.note("\(error.name) \(error.json)") }
        mailbox.finish()
      })
    let waiting = mailbox.take() ?? []
    client.close()

    #expect(waiting.isEmpty)
    #expect(told.all.first?.hasPrefix("dev.nightjar.App.NameRefused") == true)
    #expect(told.all.first?.contains("pid namespace") == true)
  }

  @Test func `a process has one name at a time over all its connections, and another once it has closed them`() throws {
    let (_, address) = try service(front(), for: Peer(pid: getpid(), uid: getuid(), app: nil))
    let clients = try (1...4).map { _ in try VarlinkClient(to: VarlinkAddress(address)) }
    let told = Told()

    try attach(clients[0], as: "one", told)
    let first = events(1, told).names
    try attach(clients[1], as: "one", told)
    let second = events(1, told).names
    try attach(clients[2], as: "two", told)
    try finishEvents(clients[2])
    let afterRefusal = events(1, refusals: 1, told)
    clients[0].close()
    clients[1].close()
    let left = events(2, told)
    try attach(clients[3], as: "two", told)
    let third = events(1, told).names
    clients.forEach { $0.close() }

    #expect([first, second, third] == [["one"], ["one"], ["two"]])
    #expect(told.all == ["dev.nightjar.App.NameRefused"])
    #expect(afterRefusal.callers == ["one"])
    #expect(left.detachedCount == 2)
  }

  @Test func `a name that a process has asked for speaks for nobody until it is attached`() throws {
    let (_, address) = try service(front(), for: Peer(pid: getpid(), uid: getuid(), app: nil))
    let clients = try (1...2).map { _ in try VarlinkClient(to: VarlinkAddress(address)) }

    try attach(clients[0], as: "one", Told())
    let waiting = mailbox.take() ?? []
    let refusal = #expect(throws: VarlinkError.self) {
      try clients[1].call(
        AppInterface.SetBadge.name, AppInterface.SetBadge.Parameters(count: 1), returning: Nothing.self,
        timeout: .seconds(30))
    }
    clients.forEach { $0.close() }

    #expect(waiting.count == 1)
    #expect(refusal?.name == "dev.nightjar.App.NotAnApp")
  }

  /// What has come in of clients that attach, call and leave.
  private struct Traffic {
    var names: [String] = []
    var callers: [String] = []
    var detachedCount = 0
    var count: Int { names.count + callers.count + detachedCount }

    mutating func add(_ event: Event, _ tickets: Tickets) {
      switch event {
      case .attached(let attachment, let ticket):
        tickets.redeem(ticket, .attached(life: 1, isBackground: false))
        names.append(attachment.caller.app.rawValue)
      case .called(_, let caller, _): callers.append(caller.app.rawValue)
      case .detached: detachedCount += 1
      default: break
      }
    }
  }

  /// The next so many events, with every client that attaches let in, once so many have been refused.
  private func events(_ count: Int, refusals: Int = 0, _ told: Told) -> Traffic {
    var traffic = Traffic()
    while traffic.count < count || told.all.count < refusals, let batch = mailbox.take() {
      for case .event(let event) in batch { traffic.add(event, tickets) }
    }
    return traffic
  }

  /// Attaches a program, and notes it if that is refused.
  private func attach(_ client: VarlinkClient, as name: String, _ told: Told) throws {
    try client.stream(
      AppInterface.Attach.name, AppInterface.Attach.Parameters(program: .init(name: name)), of: Nothing.self,
      each: { _ in },
      end: { [mailbox] in
        if let error = $0 as? VarlinkError { told.note(error.name) }
        mailbox.post(.awoke)  // Whoever waits for this looks again.
      })
  }

  @Test func `a person is told of a standstill however many calls of apps wait for its end, and none is lost`() throws {
    let front = front()
    let (service, address) = try service(front)
    front.pace(service)
    let apps = try (1...5).map { _ in try VarlinkClient(to: VarlinkAddress(address)) }
    let person = try VarlinkClient(to: VarlinkAddress(address))

    front.stand(because: "The disk is full.")
    for _ in 1...4096 { mailbox.post(.awoke) }  // It is full.
    for app in apps { for _ in 1...20 { try finishEvents(app) } }
    let refusals = (1...3).map { _ in
      #expect(throws: VarlinkError.self) {
        try person.call(
          ControlInterface.Status.name, Nothing(), returning: ControlInterface.Status.Reply.self, timeout: .seconds(30))
      }?.name
    }
    front.goOn()
    var heard = 0
    while heard < 100, let batch = mailbox.take() {
      for case .event(.called(.finishEvents, _, let ticket)) in batch {
        tickets.redeem(ticket, .done)
        heard += 1
      }
    }
    (apps + [person]).forEach { $0.close() }

    #expect(refusals == Array(repeating: ControlInterface.CannotSave.name, count: 3))
    #expect(heard == 100)
  }

  @Test(arguments: [false, true])
  func `a snapshot is not given out where the device is locked while its file is read`(isLocked: Bool) throws {
    try home.container(AppID("a")).prepare()
    try Snapshots(home: home, bytesMax: 99).keep("<p>secret", of: AppID("a"))
    let (_, address) = try service(front())
    let (client, told) = (try VarlinkClient(to: VarlinkAddress(address)), Told())

    try client.send(
      ControlInterface.ShowSnapshot.name, ControlInterface.ShowSnapshot.Parameters(app: "a"),
      returning: ControlInterface.ShowSnapshot.Reply.self
    ) { [mailbox] result in
      let reply = try? result.get()
      told.note("\(reply?.html ?? "nothing"), \(reply?.number ?? 0), \(reply?.hidden == true ? "hidden" : "open")")
      mailbox.finish()
    }
    var isHidden = false
    while let batch = mailbox.take() {
      for case .event(.ordered(.showApp, let ticket)) in batch {
        tickets.redeem(ticket, .app(left(isHidden: isHidden)))
        isHidden = isLocked  // The file is being read by now.
      }
    }
    client.close()

    #expect(told.all == [isLocked ? "nothing, 0, hidden" : "<p>secret, 7, open"])
  }

  /// An app that was left and has a snapshot.
  private func left(isHidden: Bool) -> AppView {
    let app = InstalledApp(id: AppID("a"), displayName: "A", kind: .program(relaunch: []), isProtected: true)
    return AppView(
      installed: app, state: .suspended, transfers: 0, waiting: 0, hasCrashed: false, card: Card(snapshot: 7),
      isHidden: isHidden)
  }

  private func finishEvents(_ client: VarlinkClient) throws {
    try client.oneway(AppInterface.FinishEvents.name, AppInterface.FinishEvents.Parameters(session: "s"))
  }

  private func front() -> Front {
    let (library, logger) = (AppLibrary(home: home), Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let fileSystems = FileSystems(home: "/tmp", list: "/proc/self/mountinfo")
    let facts = StandingFacts(version: "", pid: getpid(), socket: "", degraded: [])
    let moment = Moment(wall: Timestamp(seconds: 9), boot: .seconds(9), awake: .seconds(9), bootID: BootID("boot"))
    return Front(
      mailbox: mailbox, monitors: Monitors(clocks: { moment }),
      installer: BundleInstaller(
        library: library, fileSystems: fileSystems, patience: .seconds(1), mailbox: mailbox, logger: logger
      ) { $1() },
      views: ViewStore(snapshots: Snapshots(home: home, bytesMax: 99), now: moment.wall, logger: logger), home: home,
      facts: facts,
      screen: Screen(
        lookout: lookout, home: home, library: library, mailbox: mailbox, tickets: tickets, logger: logger),
      fileSystems: fileSystems, patience: FilePatience(.seconds(10), leaveTimeout: .seconds(5)), tickets: tickets,
      readBarrier: ReadBarrier(), lookout: lookout)
  }

  /// A service at which every client is this one: an app, unless told otherwise.
  private func service(
    _ front: Front, for peer: Peer = Peer(pid: getpid(), uid: getuid(), app: AppID("a"))
  ) throws -> (VarlinkService, address: String) {
    let service = try VarlinkService(
      .init(vendor: "", product: "", version: "", url: ""), interfaces: front.interfaces,
      hooks: .init(onConnect: { _ in peer }))
    let listener = try VarlinkListener(binding: VarlinkAddress("unix:@nightjar-front-\(UInt64.random(in: 0 ..< .max))"))
    try service.start(on: [listener])
    services.append(service)
    return (service, listener.address)
  }
}
