import Glibc
import NightjarCore
import NightjarModel
import NightjarWire
import Varlink

/// The calls of apps and programs.
extension Front {
  var appInterface: VarlinkInterface {
    var interface = AppInterface.interface()
    interface.excuseForLength = { AppInterface.LimitReached(what: "bytes of an answer", limit: Int64($0)).varlink }
    interface.handle(AppInterface.Attach.self, requiresMore: true) { [self] call throws(VarlinkError) in
      try attach(call)
    }
    handleSessions(&interface)
    handleTasks(&interface)
    handlePlaces(&interface)
    handleViews(&interface)
    handleNotifications(&interface)
    handleErrands(&interface)
    return interface
  }

  private func handleSessions(_ interface: inout VarlinkInterface) {
    interface.handle(AppInterface.OpenSession.self) { [self] call throws(VarlinkError) in
      let asked = call.parameters
      let opening = AppCall.openSession(
        asked.session, sendsLaunchEvents: asked.sendsLaunchEvents, asks: asked.asks, isHandling: asked.isHandling)
      try ask(opening, call) { answer in
        guard case .session(let nextTask, let taskCount) = answer else { return nil }
        return .init(nextTask: Int64(nextTask), taskCount: Int64(taskCount))
      }
    }
    interface.handle(AppInterface.ListTasks.self) { [self] call throws(VarlinkError) in
      try ask(.listTasks(call.parameters.session, after: Int(call.parameters.after)), call) { answer in
        guard case .transfers(let views, let isComplete) = answer else { return nil }
        return .init(tasks: views.map(\.task), complete: isComplete)
      }
    }
    interface.handle(AppInterface.FinishEvents.self) { [self] call throws(VarlinkError) in
      try ask(.finishEvents(call.parameters.session), call)
    }
    interface.handle(AppInterface.ForgetDecisions.self) { [self] call throws(VarlinkError) in
      try ask(.forgetDecisions(call.parameters.session), call)
    }
    interface.handle(AppInterface.CloseSession.self) { [self] call throws(VarlinkError) in
      try ask(.closeSession(call.parameters.session, cancel: call.parameters.cancel), call)
    }
  }

  private func handleTasks(_ interface: inout VarlinkInterface) {
    interface.handle(AppInterface.Enqueue.self) { [self] call throws(VarlinkError) in
      enqueue(call, by: try caller(call.connection))
    }
    interface.handle(AppInterface.SuspendTask.self) { [self] call throws(VarlinkError) in
      try ask(.suspend(call.parameters.session, task: Int(call.parameters.task)), call)
    }
    interface.handle(AppInterface.ResumeTask.self) { [self] call throws(VarlinkError) in
      try ask(.resume(call.parameters.session, task: Int(call.parameters.task)), call)
    }
    interface.handle(AppInterface.CancelTask.self) { [self] call throws(VarlinkError) in
      try ask(.cancel(call.parameters.session, task: Int(call.parameters.task)), call)
    }
    interface.handle(AppInterface.CancelTaskKeeping.self) { [self] call throws(VarlinkError) in
      let (session, task) = (call.parameters.session, Int(clamping: call.parameters.task))
      try ask(.cancelKeeping(session, task: task), call) { answer in
        guard case .left(let remnant) = answer else { return nil }
        return .init(remnant: remnant.map(AppInterface.Remnant.init))
      }
    }
    interface.handle(AppInterface.UpdateTask.self) { [self] call throws(VarlinkError) in
      let (session, task) = (call.parameters.session, Int(clamping: call.parameters.task))
      try ask(.update(session, task: task, TaskChanges(call.parameters)), call)
    }
    interface.handle(AppInterface.Acknowledge.self) { [self] call throws(VarlinkError) in
      try ask(.acknowledge(call.parameters.numbers), call)
    }
    interface.handle(AppInterface.AnswerQuestion.self) { [self] call throws(VarlinkError) in
      let (number, asks) = (call.parameters.number, call.parameters.asks.map(Asks.init))
      let decision = try reading(try call.parameters.decision.decision())
      try ask(.decide(number, decision, asks: asks), call)
    }
    interface.handle(AppInterface.ReportDamage.self) { [self] call throws(VarlinkError) in
      try ask(.reportDamage(call.parameters.number), call)
    }
  }

  private func handlePlaces(_ interface: inout VarlinkInterface) {
    interface.handle(AppInterface.Entered.self) { [self] call throws(VarlinkError) in
      try ask(.entered(call.parameters.number), call)
    }
    interface.handle(AppInterface.BeginTask.self) { [self] call throws(VarlinkError) in
      try ask(.beginBackgroundTask(call.parameters.task, name: call.parameters.name), call)
    }
    interface.handle(AppInterface.EndTask.self) { [self] call throws(VarlinkError) in
      try ask(.endBackgroundTask(call.parameters.task), call)
    }
  }

  private typealias EnqueueCall = VarlinkCall<AppInterface.Enqueue.Parameters, AppInterface.Enqueue.Reply>

  /// Queues a transfer of an app once the file it names has been inspected.
  private func enqueue(_ call: EnqueueCall, by caller: Caller) {
    let (session, task) = (call.parameters.session, call.parameters.task)
    let (field, path) = task.direction == .upload ? ("file", task.file) : ("destination", task.destination)
    let identity = RequestKey(task.key).map {
      RequestIdentity(key: $0, app: caller.app, session: session, task: Int(clamping: task.task), url: task.url)
    }
    let file = FileLook(path: path, field: field, identity: identity, refuse: invalidTask)
    look(file, for: call) { [self] () throws(VarlinkError) in
      try reading(try (request: task.request(app: caller.app, session: session), remnant: task.remnantKey()))
    } then: { [self] found in
      enqueue(found.request, found.remnant, call, by: caller)
    } alreadyQueued: {
      .init(transfer: $0.rawValue)
    }
  }

  private func enqueue(
    _ request: TransferRequest, _ remnant: RequestKey?, _ call: EnqueueCall, by caller: Caller
  ) {
    let task = call.parameters.task
    ask(.enqueue(request, isSuspended: task.suspended ?? false, remnant: remnant), by: caller, call) { answer in
      switch answer {
      case .accepted(let id): .init(transfer: id.rawValue)
      case .resumed(let id, let point):
        .init(
          transfer: id.rawValue,
          resumed: .init(token: task.remnant ?? "", offset: point.offset, length: point.length))
      default: nil
      }
    }
  }

  /// Asks the supervisor on an app's behalf, and answers the call with what `translate` makes of its answer.
  func ask<P: Sendable, R: Sendable>(
    _ question: AppCall, _ call: VarlinkCall<P, R>, translate: @escaping @Sendable (Answer) -> R?
  ) throws(VarlinkError) {
    ask(question, by: try caller(call.connection), call, translate: translate)
  }

  func ask<P: Sendable, R: Sendable>(
    _ question: AppCall, by caller: Caller, _ call: VarlinkCall<P, R>, translate: @escaping @Sendable (Answer) -> R?
  ) {
    let ticket = tickets.issue { answer in call.answer(answer, translate) }
    mailbox.post(.called(question, by: caller, ticket))
  }

  /// Reads a part of a message; its error answers the call.
  func reading<R>(_ read: @autoclosure () throws(AppInterface.InvalidRequest) -> R) throws(VarlinkError) -> R {
    do throws(AppInterface.InvalidRequest) { return try read() } catch { throw error.varlink }
  }

  func ask<P: Sendable>(_ question: AppCall, _ call: VarlinkCall<P, Nothing>) throws(VarlinkError) {
    try ask(question, call) { $0 == .done ? Nothing() : nil }
  }
}

extension VarlinkCall {
  /// Whether a person or a script calls rather than an app.
  var isOfControl: Bool { method.hasPrefix(ControlInterface.name) }

  /// Answers with a translation, or with the refusal.
  func answer(_ answer: Answer, _ translate: (Answer) -> Reply?) {
    if let reply = translate(answer) { self.reply(reply) } else { refuse(answer) }
  }

  /// Answers with the error for a refusal.
  func refuse(_ answer: Answer) {
    guard case .refused(let refusal) = answer else { preconditionFailure("\(method) was answered with \(answer)") }
    fail(isOfControl ? refusal.controlError : refusal.appError)
  }
}
