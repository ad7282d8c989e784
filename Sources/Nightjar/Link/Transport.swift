package import NightjarWire

/// How the library reaches the daemon. The real one speaks Varlink over two connections; tests make one by hand, and
/// `NightjarTesting` has one around a simulated device.
package protocol Transport: Sendable {
  /// Dials and asks to be attached; blocks until the line stands or cannot be had.
  ///
  /// Facts come from other threads: `attached` first, then events and answers, and `dropped` once at the end. They may
  /// begin to come before this returns.
  func dial(_ receive: @escaping @Sendable (Fact) -> Void) throws(LineDropped) -> any Line

  /// Calls back after a while, once, from any thread: the pause before the next attempt to dial.
  func after(_ pause: Duration, _ then: @escaping @Sendable () -> Void)
}

/// One line to the daemon, until it drops.
package protocol Line: Sendable {
  /// Writes a call; returns once it is in the socket. Answers come as facts in the order of the calls.
  func send(_ call: Call) throws(LineDropped)
  /// Gives the line up.
  func hangUp()
}

/// There is no line, or no longer.
package struct LineDropped: Error, Hashable, Sendable {
  /// What a person can read.
  package let detail: String
  /// Whether the daemon refused us, so that a person has to do something about it.
  var isRefusal = false

  /// A line that is gone, for this reason.
  package init(detail: String) { self.detail = detail }

  /// A line that is gone, for this reason, perhaps because the daemon would not have us.
  init(detail: String, isRefusal: Bool) { (self.detail, self.isRefusal) = (detail, isRefusal) }
}

/// What comes over a line.
package enum Fact: Sendable {
  /// The daemon knows who we are; calls may go out.
  case attached(AppInterface.Attached)
  /// A session wants to be opened.
  case handleEvents(session: String)
  /// Bytes moved.
  case progressed(AppInterface.Progressed)
  /// A server has said something before its answer.
  case informed(AppInterface.Informed)
  /// A task ended.
  case ended(AppInterface.Ended)
  /// A task asks.
  case asked(AppInterface.Asked)
  /// What a person allows the app.
  case standing(AppInterface.Standing)
  /// A notification for the delegate.
  case notified(AppInterface.Notified)
  /// The app goes somewhere else.
  case moved(Move)
  /// The app has something to do in the background, or too little time left for it.
  case sent(Errand)
  /// All of a session's waiting events were sent.
  case eventsFinished(session: String)
  /// The oldest unanswered call of this line is answered.
  case answered(Answer)
  /// The line is gone; nothing more comes over it.
  case dropped(LineDropped)
}

/// What the daemon says of the app's own life.
package enum Move: Hashable, Sendable {
  /// It is in the background, and confirms that under the number. How long its background tasks may go on, where that
  /// is told.
  case background(number: Int64, remaining: Duration?)
  case foreground
  /// Its background tasks have to end.
  case expiry
  /// A person did something in its view.
  case acted(AppInterface.Acted)
  /// Memory is short.
  case shortage
}

/// What the daemon has the app do in the background.
package enum Errand: Hashable, Sendable {
  /// To look for new content.
  case fetch(number: Int64, remaining: Duration)
  /// To do what it has put off.
  case task(AppInterface.PerformTask)
  /// To finish a task, whose time is nearly up.
  case expiry(number: Int64)
}

/// What is asked of the daemon: every method of `dev.nightjar.App` except `Attach`.
package enum Call: Codable, Hashable, Sendable {
  case openSession(AppInterface.OpenSession.Parameters)
  case listTasks(AppInterface.ListTasks.Parameters)
  case enqueue(AppInterface.Enqueue.Parameters)
  case suspend(AppInterface.SuspendTask.Parameters)
  case resume(AppInterface.ResumeTask.Parameters)
  case cancel(AppInterface.CancelTask.Parameters)
  case update(AppInterface.UpdateTask.Parameters)
  case cancelKeeping(AppInterface.CancelTaskKeeping.Parameters)
  case acknowledge(AppInterface.Acknowledge.Parameters)
  case reportDamage(AppInterface.ReportDamage.Parameters)
  /// Holds secrets, so it never goes into an outbox.
  case answer(AppInterface.AnswerQuestion.Parameters)
  case finishEvents(AppInterface.FinishEvents.Parameters)
  case closeSession(AppInterface.CloseSession.Parameters)
  case schedule(AppInterface.ScheduleNotifications.Parameters)
  case cancelNotifications(AppInterface.CancelNotifications.Parameters)
  case listNotifications
  case setBadge(AppInterface.SetBadge.Parameters)
  case takeNotification(AppInterface.TakeNotification.Parameters)
  case setFetchInterval(AppInterface.SetFetchInterval.Parameters)
  case submit(AppInterface.SubmitRequest.Parameters)
  case cancelRequests(AppInterface.CancelRequests.Parameters)
  case listRequests
  // About this process alone: never in an outbox.
  case entered(AppInterface.Entered.Parameters)
  case beginTask(AppInterface.BeginTask.Parameters)
  case endTask(AppInterface.EndTask.Parameters)
  case setView(AppInterface.SetView.Parameters)
  case ignoreSnapshot
  case finishFetch(AppInterface.FinishFetch.Parameters)
  case finishTask(AppInterface.FinishTask.Parameters)

  /// The task that is queued, if that is what is asked.
  var enqueued: AppInterface.NewTask? {
    guard case .enqueue(let parameters) = self else { return nil }
    return parameters.task
  }

  /// Whether a new line asks this anew of its own accord, or knows nothing of it, so that an unanswered one need not be
  /// repeated.
  var belongsToItsLine: Bool {
    switch self {
    case .openSession, .listTasks, .entered, .beginTask, .endTask, .setView: true
    case .enqueue, .suspend, .resume, .cancel, .cancelKeeping, .update, .acknowledge, .reportDamage, .answer,
      .finishEvents, .closeSession, .ignoreSnapshot, .schedule, .cancelNotifications, .listNotifications, .setBadge,
      .takeNotification, .setFetchInterval, .submit, .cancelRequests, .listRequests, .finishFetch, .finishTask:
      false
    }
  }

  /// Whether it is about an event rather than a session, and goes out before sessions are opened again.
  var isAboutEvents: Bool {
    switch self {
    case .acknowledge, .reportDamage, .answer, .takeNotification: true
    case .openSession, .listTasks, .enqueue, .suspend, .resume, .cancel, .cancelKeeping, .update, .finishEvents,
      .closeSession, .entered, .beginTask, .endTask, .setView, .ignoreSnapshot, .schedule, .cancelNotifications,
      .listNotifications, .setBadge, .setFetchInterval, .submit, .cancelRequests, .listRequests, .finishFetch,
      .finishTask:
      false
    }
  }
}

/// What the daemon answers to a call.
package enum Answer: Sendable {
  case opened(AppInterface.OpenSession.Reply)
  case listed(AppInterface.ListTasks.Reply)
  case done
  /// A task is queued, and goes on with this.
  case resumed(AppInterface.Remnant)
  /// A task is cancelled, and this is left of it.
  case left(AppInterface.Remnant?)
  /// What is scheduled.
  case notifications([AppInterface.Notification])
  /// What is put off.
  case requests([AppInterface.BackgroundRequest])
  case refused(Refusal)
}

/// Why the daemon said no.
package enum Refusal: Hashable, Sendable {
  case notAttached
  case sessionInUse(pid: Int64)
  case sessionNotOpen
  case noSuchTask
  case sessionHasTasks
  case invalidRequest(field: String, reason: String)
  case limitReached(what: String, limit: Int64)
  /// The app does not declare a background mode; the command that declares it.
  case notDeclared(mode: String, hint: String)
  /// In a simulation: nothing stands in for the servers; what to do about it.
  case noServer(advice: String)
  /// An error that this library does not know.
  case other(name: String)
}
