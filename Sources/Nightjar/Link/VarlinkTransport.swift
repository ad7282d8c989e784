import Foundation
import NightjarModel
package import NightjarWire
import Varlink

/// The real transport: Varlink over two connections to the daemon's socket, one for events and one for calls.
struct VarlinkTransport: Transport {
  let place: Place

  func dial(_ receive: @escaping @Sendable (Fact) -> Void) throws(LineDropped) -> any Line {
    let socket = place.socket.path
    do throws(TransportError) {
      let line = VarlinkLine(events: try client(socket), calls: try client(socket), receive: receive)
      try line.attach(as: place.program)
      return line
    } catch {
      throw LineDropped(detail: "\(socket): \(error.detail)", isRefusal: error.code == .refused)
    }
  }

  func after(_ pause: Duration, _ then: @escaping @Sendable () -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + pause.inSeconds, execute: then)
  }

  /// Connects to a daemon of our own user; no other user's daemon is trusted with requests.
  private func client(_ socket: String) throws(TransportError) -> VarlinkClient {
    let client = try VarlinkClient(to: VarlinkAddress(path: socket))
    let owner = try client.credentials.uid
    guard owner == getuid() else {
      throw TransportError(.refused, "it is served by user \(owner), not by \(getuid())")
    }
    return client
  }
}

/// Two connections that are opened and closed together.
private final class VarlinkLine: Line {
  private let events: VarlinkClient
  private let calls: VarlinkClient
  private let receive: @Sendable (Fact) -> Void

  init(events: VarlinkClient, calls: VarlinkClient, receive: @escaping @Sendable (Fact) -> Void) {
    (self.events, self.calls, self.receive) = (events, calls, receive)
  }

  /// Asks for the events. Calls are sent once `attached` has arrived, when the daemon knows us.
  func attach(as program: AppInterface.Program?) throws(TransportError) {
    let receive = receive
    calls.onDisconnect { receive(.dropped(LineDropped($0))) }
    try events.stream(AppInterface.Attach.self, .init(program: program)) { event in
      if let fact = Fact(event) { receive(fact) }
    } end: { error in
      receive(.dropped(LineDropped(error)))
    }
  }

  func hangUp() {
    events.close()
    calls.close()
  }

  func send(_ call: Call) throws(LineDropped) {
    do throws(TransportError) {
      switch call {
      case .openSession(let asked): try send(AppInterface.OpenSession.self, asked) { .opened($0) }
      case .listTasks(let asked): try send(AppInterface.ListTasks.self, asked) { .listed($0) }
      case .enqueue(let asked): try send(AppInterface.Enqueue.self, asked) { $0.resumed.map(Answer.resumed) ?? .done }
      case .suspend(let asked): try sendPlain(AppInterface.SuspendTask.self, asked)
      case .resume(let asked): try sendPlain(AppInterface.ResumeTask.self, asked)
      case .cancel(let asked): try sendPlain(AppInterface.CancelTask.self, asked)
      case .update(let asked): try sendPlain(AppInterface.UpdateTask.self, asked)
      case .cancelKeeping(let asked): try send(AppInterface.CancelTaskKeeping.self, asked) { .left($0.remnant) }
      case .acknowledge(let asked): try sendPlain(AppInterface.Acknowledge.self, asked)
      case .reportDamage(let asked): try sendPlain(AppInterface.ReportDamage.self, asked)
      case .answer(let asked): try sendPlain(AppInterface.AnswerQuestion.self, asked)
      case .finishEvents(let asked): try sendPlain(AppInterface.FinishEvents.self, asked)
      case .forgetDecisions(let asked): try sendPlain(AppInterface.ForgetDecisions.self, asked)
      case .closeSession(let asked): try sendPlain(AppInterface.CloseSession.self, asked)
      case .entered(let asked): try sendPlain(AppInterface.Entered.self, asked)
      case .beginTask(let asked): try sendPlain(AppInterface.BeginTask.self, asked)
      case .schedule(let asked): try sendPlain(AppInterface.ScheduleNotifications.self, asked)
      case .cancelNotifications(let asked): try sendPlain(AppInterface.CancelNotifications.self, asked)
      case .listNotifications:
        try send(AppInterface.ListNotifications.self, Nothing()) { .notifications($0) }
      case .setBadge(let asked): try sendPlain(AppInterface.SetBadge.self, asked)
      case .takeNotification(let asked): try sendPlain(AppInterface.TakeNotification.self, asked)
      case .endTask(let asked): try sendPlain(AppInterface.EndTask.self, asked)
      case .setView(let asked): try sendPlain(AppInterface.SetView.self, asked)
      case .ignoreSnapshot: try sendPlain(AppInterface.IgnoreSnapshot.self, .init())
      case .setFetchInterval(let asked): try sendPlain(AppInterface.SetFetchInterval.self, asked)
      case .finishFetch(let asked): try sendPlain(AppInterface.FinishFetch.self, asked)
      case .submit(let asked): try sendPlain(AppInterface.SubmitRequest.self, asked)
      case .cancelRequests(let asked): try sendPlain(AppInterface.CancelRequests.self, asked)
      case .listRequests: try send(AppInterface.ListRequests.self, Nothing()) { .requests($0.requests) }
      case .finishTask(let asked): try sendPlain(AppInterface.FinishTask.self, asked)
      }
    } catch { throw LineDropped(error) }
  }

  /// Sends a call whose reply has no values.
  private func sendPlain<Method: WireMethod>(
    _ method: Method.Type, _ asked: Method.Parameters
  ) throws(TransportError) where Method.Reply == Nothing {
    try send(method, asked) { _ in .done }
  }

  private func send<Method: WireMethod>(
    _ method: Method.Type, _ asked: Method.Parameters, _ answer: @escaping @Sendable (Method.Reply) -> Answer
  ) throws(TransportError) {
    let receive = receive
    do throws(TransportError) {
      try calls.send(method, asked) { result in
        switch result {
        case .success(let reply): receive(.answered(answer(reply)))
        case .failure(let error as VarlinkError): receive(.answered(.refused(Refusal(error))))
        case .failure(let error): receive(.dropped(LineDropped(error)))
        }
      }
    } catch  where error.code == .tooLarge {
      try refuse()
    }
  }

  /// Refuses a call that is too large for a message. Answers keep the order of the calls, so the refusal is delivered
  /// with the answer to a call without effect (`GetInfo`).
  private func refuse() throws(TransportError) {
    let refusal = Refusal.limitReached(what: "bytes of one call", limit: Int64(VarlinkClient.Limits().messageBytesMax))
    try send(GetInfo.self, Nothing()) { _ in .refused(refusal) }
  }
}

/// A method that every Varlink service has.
private enum GetInfo: WireMethod {
  typealias Parameters = Nothing
  typealias Reply = ServiceInformation

  static let name = "org.varlink.service.GetInfo"
}

extension Fact {
  /// The one thing that an event of the attachment says; nil for what this library does not know yet.
  package init?(_ event: AppInterface.Attach.Reply) {
    if let attached = event.attached {
      self = .attached(attached)
    } else if let wake = event.handleEvents {
      self = .handleEvents(session: wake.session)
    } else if let figures = event.progressed {
      self = .progressed(figures)
    } else if let end = event.ended {
      self = .ended(end)
    } else if let finished = event.eventsFinished {
      self = .eventsFinished(session: finished.session)
    } else if let asked = event.asked {
      self = .asked(asked)
    } else if let entered = event.enterBackground {
      self = .moved(.background(number: entered.number, remaining: .milliseconds(entered.remainingMs)))
    } else if event.enterForeground != nil {
      self = .moved(.foreground)
    } else if event.expireTasks != nil {
      self = .moved(.expiry)
    } else if let acted = event.acted {
      self = .moved(.acted(acted))
    } else if event.memoryWarning != nil {
      self = .moved(.shortage)
    } else if event.significantTimeChange != nil {
      self = .moved(.newTime)
    } else if let standing = event.standing {
      self = .standing(standing)
    } else if let notified = event.notified {
      self = .notified(notified)
    } else if let informed = event.informed {
      self = .informed(informed)
    } else if let errand = Errand(event) {
      self = .sent(errand)
    } else {
      return nil
    }
  }
}

extension Errand {
  /// What an event of the attachment has the app do, if it does.
  fileprivate init?(_ event: AppInterface.Attach.Reply) {
    if let fetch = event.performFetch {
      self = .fetch(number: fetch.number, remaining: .milliseconds(fetch.remainingMs))
    } else if let task = event.performTask {
      self = .task(task)
    } else if let expiry = event.expireTask {
      self = .expiry(number: expiry.number)
    } else {
      return nil
    }
  }
}

extension Refusal {
  /// What a declared error says.
  fileprivate init(_ error: VarlinkError) {
    if AppInterface.NotAttached(error) != nil || AppInterface.NotAnApp(error) != nil {
      self = .notAttached
    } else if let found = AppInterface.SessionInUse(error) {
      self = .sessionInUse(pid: found.pid)
    } else if AppInterface.SessionNotOpen(error) != nil {
      self = .sessionNotOpen
    } else if AppInterface.NoSuchTask(error) != nil {
      self = .noSuchTask
    } else if AppInterface.SessionHasTasks(error) != nil {
      self = .sessionHasTasks
    } else if let found = AppInterface.InvalidRequest(error) {
      self = .invalidRequest(field: found.field, reason: found.reason)
    } else if let found = AppInterface.LimitReached(error) {
      self = .limitReached(what: found.what, limit: found.limit)
    } else if let found = AppInterface.NotDeclared(error) {
      self = .notDeclared(mode: found.mode, hint: found.hint)
    } else {
      self = .other(name: error.name)
    }
  }
}

extension LineDropped {
  /// Why a connection ended, or was refused.
  fileprivate init(_ error: (any Error)?) {
    switch error {
    case let error as TransportError: self.init(detail: error.detail)
    case let error as VarlinkError: self.init(detail: Self.advice(error), isRefusal: true)
    case let error?: self.init(detail: "\(error)")
    case nil: self.init(detail: "the daemon ended the attachment")
    }
  }

  private static func advice(_ error: VarlinkError) -> String {
    if let found = AppInterface.NameRefused(error) {
      return "the daemon refuses the name \(found.name): \(found.reason); register another with NightjarProgram"
    }
    if let found = AppInterface.InvalidRequest(error) {
      return "the daemon refuses the attachment: \(found.field): \(found.reason)"
    }
    if AppInterface.NotAnApp(error) != nil {
      return "the daemon does not know this process as an app; a program registers a name with NightjarProgram"
    }
    return "the daemon refuses the attachment: \(error.name)"
  }
}
