import Logging
import NightjarCore
import NightjarModel
import NightjarPlatform
import NightjarTransfer
import NightjarWire
import Synchronization
import Varlink

/// The daemon's face to its clients: turns their calls into events, and answers and messages into replies.
final class Front: Sendable {
  typealias AttachCall = VarlinkCall<AppInterface.Attach.Parameters, AppInterface.Attach.Reply>

  let mailbox: Mailbox
  let tickets: Tickets
  let monitors: Monitors
  let installer: BundleInstaller
  let views: ViewStore
  let home: Home
  let facts: StandingFacts
  let screen: Screen
  let fileSystems: FileSystems
  let patience: FilePatience
  private let readBarrier: ReadBarrier
  private let lookout: Lookout
  /// The streams of attached clients.
  private let streams = Mutex<[ConnectionID: AttachCall]>([:])
  /// The attachments of processes that are in no app's cgroup, and those that wait for their answer, by process id, the
  /// newest last.
  private let programs = Mutex<[Int32: [ProgramLine]]>([:])

  init(
    mailbox: Mailbox, monitors: Monitors, installer: BundleInstaller, views: ViewStore, home: Home,
    facts: StandingFacts, screen: Screen, fileSystems: FileSystems, patience: FilePatience, tickets: Tickets,
    readBarrier: ReadBarrier, lookout: Lookout
  ) {
    (self.mailbox, self.monitors, self.installer, self.views) = (mailbox, monitors, installer, views)
    (self.home, self.facts, self.screen, self.tickets) = (home, facts, screen, tickets)
    (self.fileSystems, self.patience) = (fileSystems, patience)
    (self.readBarrier, self.lookout) = (readBarrier, lookout)
  }

  private struct ProgramLine: Sendable {
    var attachment: Attachment
    var connection: VarlinkConnection
    /// Whether the supervisor has attached it. Only then do the process's calls come under the name.
    var isAttached = false
  }

  /// Both interfaces, with their handlers.
  var interfaces: [VarlinkInterface] { [appInterface, controlInterface] }

  /// While the mailbox is full, a client's next call is read once its last is answered. Calls answered without the
  /// mailbox (people's, in a standstill) still get through.
  func pace(_ service: VarlinkService) {
    mailbox.whenPressureChanges { [weak service] isFull in
      if isFull { service?.readOneByOne() } else { service?.resumeReading() }
    }
  }

  func answer(_ ticket: Ticket, _ answer: Answer) { tickets.redeem(ticket, answer) }

  /// The database cannot be written, so nothing goes on: people are told, apps wait.
  func stand(because reason: String) {
    tickets.stand(because: reason)
    monitors.tell(trouble: reason)
  }

  /// The database can be written again.
  func goOn() {
    tickets.goOn()
    monitors.tell(trouble: nil)
  }

  /// Sends an event to an attached client. If it is gone, its end is about to be reported.
  func tell(_ connection: ConnectionID, _ message: Message) {
    guard let call = streams.withLock({ $0[connection] }) else { return }
    call.reply(message.reply, continues: true)
  }

  /// Closes the connection of a client whose app was uninstalled, or whose name an installed app has now: it would wait
  /// for ever. Its calls do not come under the name any more.
  func dismiss(_ connection: ConnectionID) {
    guard let stream = streams.withLock({ $0[connection] }) else { return }
    changeLines(of: stream.connection.peer(as: Peer.self).pid) { lines in
      lines.removeAll { $0.attachment.connection == connection }
    }
    stream.connection.close("its app was uninstalled, or an installed app has its name now")
  }

  /// Who a caller is: an app's process by its cgroup, a program by the name it attached under.
  func caller(_ connection: VarlinkConnection) throws(VarlinkError) -> Caller {
    let peer = connection.peer(as: Peer.self)
    let name = programs.withLock { $0[peer.pid]?.last(where: \.isAttached)?.attachment.caller.app }
    guard let app = peer.app ?? name else {
      throw AppInterface.NotAnApp(pid: Int64(peer.pid)).varlink
    }
    return Caller(app: app, pid: peer.pid)
  }

  /// Attaches a client: its stream is registered before it is told anything.
  ///
  /// The client may hang up before the supervisor has attached it, or even before its call is read. So the hang-up is
  /// observed last: detaching before attaching would leave a client attached that is gone.
  func attach(_ call: AttachCall) throws(VarlinkError) {
    let attachment = try attachment(for: call)
    try takeName(attachment, call.connection)
    let ticket = tickets.issue { [self] answer in
      guard case .attached(let life, let isBackground, let transition, let standing, let noticed) = answer else {
        leaveName(attachment)
        return call.refuse(answer)
      }
      streams.withLock { $0[attachment.connection] = call }
      keepName(attachment)
      let attached = AppInterface.Attached(
        attachment.caller.app, life: life, isBackground: isBackground, transition: transition, standing, noticed)
      call.reply(AppInterface.Attach.Reply(attached: attached), continues: true)
      let end = endOfProgram(attachment)
      call.onHangUp { [self] in
        withExtendedLifetime(end) {}
        streams.withLock { $0[attachment.connection] = nil }
        readBarrier.heard({ $0.pid == attachment.caller.pid }, then: { [self] in detach(attachment) })
      }
    }
    mailbox.post(.attached(attachment, ticket))
  }

  /// Hangs up on a program that has ended, though its connection stays open in a process that has inherited it: that
  /// one is told apart from others by nothing. An app's end is heard from the launcher.
  private func endOfProgram(_ attachment: Attachment) -> ProcessEnd? {
    guard attachment.relaunch != nil else { return nil }
    let pid = attachment.caller.pid
    return ProcessEnd(of: pid, lookout: lookout) { [readBarrier] in
      readBarrier.hangUp({ $0.pid == pid && $0.app == nil }, then: {})
    }
  }

  private func attachment(for call: AttachCall) throws(VarlinkError) -> Attachment {
    let connection = ConnectionID(call.connection.id)
    let peer = call.connection.peer(as: Peer.self)
    guard let program = call.parameters.program, peer.app == nil else {
      return Attachment(connection: connection, caller: try caller(call.connection))
    }
    guard peer.pid > 0 else {
      throw AppInterface.NameRefused(name: program.name, reason: Self.isUnseen).varlink
    }
    let caller = Caller(app: AppID(program.name), pid: peer.pid)
    return Attachment(connection: connection, caller: caller, relaunch: program.relaunch ?? [])
  }

  /// Programs are identified by process id, and all processes of other pid namespaces show the same one.
  private static let isUnseen =
    "its process is in a pid namespace that the daemon cannot see into, so that it could not be told from others there"

  /// Gives a program's process its name. Its calls come over any of its connections and are told apart by nothing but
  /// the process, so it has one name until all that it is attached over have closed. Of one that has closed the
  /// supervisor may not know yet.
  private func takeName(_ attachment: Attachment, _ connection: VarlinkConnection) throws(VarlinkError) {
    guard attachment.relaunch != nil else { return }
    let caller = attachment.caller
    let other = programs.withLock { programs -> AppID? in
      let lines = programs[caller.pid] ?? []
      let other = lines.last { $0.attachment.caller.app != caller.app && !$0.connection.isGone }
      if other == nil {
        programs[caller.pid] = lines + [ProgramLine(attachment: attachment, connection: connection)]
      }
      return other?.attachment.caller.app
    }
    guard let other else { return }
    let reason = "process \(caller.pid) is attached as \(other); there is one name for each process at a time"
    throw AppInterface.NameRefused(name: caller.app.rawValue, reason: reason).varlink
  }

  /// The process is attached, and its calls come under its name from now on.
  private func keepName(_ attachment: Attachment) {
    changeLines(of: attachment.caller.pid) { lines in
      guard let index = lines.lastIndex(where: { $0.attachment == attachment }) else { return }
      lines[index].isAttached = true
    }
  }

  /// Takes back the name of a process that was not attached. It keeps what it has by other calls.
  private func leaveName(_ attachment: Attachment) {
    changeLines(of: attachment.caller.pid) { lines in
      let index = lines.lastIndex { $0.attachment == attachment && !$0.isAttached }
      if let index { lines.remove(at: index) }
    }
  }

  private func changeLines(of pid: Int32, _ change: (inout [ProgramLine]) -> Void) {
    programs.withLock { programs in
      var lines = programs[pid] ?? []
      change(&lines)
      programs[pid] = lines.isEmpty ? nil : lines
    }
  }

  /// Detaches a connection. A process that is attached over another connection, too, keeps its name there.
  private func detach(_ attachment: Attachment) {
    changeLines(of: attachment.caller.pid) { lines in
      lines.removeAll { $0.attachment.connection == attachment.connection }
    }
    mailbox.post(.detached(attachment.connection))
  }
}

/// Facts about this daemon, most of which do not change while it runs.
struct StandingFacts: Sendable {
  var version: String
  var pid: Int32
  var socket: String
  var degraded: [String]
  /// What is wrong with the staging area just now, in a sentence; nil if nothing is.
  var stagingTrouble: @Sendable () -> String? = { nil }
}
