package import Foundation
package import NightjarWire

/// The library's transport to the daemon. The real one speaks Varlink over two connections; tests write their own, and
/// `NightjarTesting` has one around a simulated device.
package protocol Transport: Sendable {
  /// Dials and asks to be attached; blocks until the line is established or has failed.
  ///
  /// Facts are delivered on other threads: `attached` first, then events and answers, and `dropped` once at the end.
  /// The first may be delivered before this returns.
  func dial(_ receive: @escaping @Sendable (Fact) -> Void) throws(LineDropped) -> any Line

  /// Calls back after a while, once, from any thread: the pause before the next attempt to dial.
  func after(_ pause: Duration, _ then: @escaping @Sendable () -> Void)

  /// The time on the clock by which the daemon goes.
  var now: Date { get }
}

extension Transport {
  package var now: Date { Date() }
}

/// One line to the daemon, until it drops.
package protocol Line: Sendable {
  /// Writes a call; returns once it is in the socket. Answers come as facts in the order of the calls.
  func send(_ call: Call) throws(LineDropped)
  /// Closes the line.
  func hangUp()
}

/// The error of a line that cannot be established, or has dropped.
package struct LineDropped: Error, Hashable, Sendable {
  /// The reason, for people.
  package let detail: String
  /// Whether the daemon refuses us, or we refuse the daemon, so that a person has to act.
  var isRefusal = false

  /// Creates an error with a reason.
  package init(detail: String) { self.detail = detail }

  /// Creates an error with a reason, which may be a refusal.
  init(detail: String, isRefusal: Bool) { (self.detail, self.isRefusal) = (detail, isRefusal) }
}

/// A fact that comes over a line.
package enum Fact: Sendable {
  /// The daemon knows who we are; calls may be sent.
  case attached(AppInterface.Attached)
  /// A session has events and should be opened.
  case handleEvents(session: String)
  /// Bytes moved.
  case progressed(AppInterface.Progressed)
  /// A server has sent an interim response.
  case informed(AppInterface.Informed)
  /// A task ended.
  case ended(AppInterface.Ended)
  /// A task asks a question.
  case asked(AppInterface.Asked)
  /// The app's standing has changed.
  case standing(AppInterface.Standing)
  /// A notification for the delegate.
  case notified(AppInterface.Notified)
  /// The app moves to another place, or another fact of its life.
  case moved(Move)
  /// The app has an errand, or little time left for one.
  case sent(Errand)
  /// All of a session's waiting events were sent.
  case eventsFinished(session: String)
  /// The oldest unanswered call of this line is answered.
  case answered(Answer)
  /// The line is gone; nothing more comes over it.
  case dropped(LineDropped)
}

/// A fact of the app's own life.
package enum Move: Hashable, Sendable {
  /// The app is in the background, and confirms that with the number. `remaining` is how long its background tasks may
  /// go on, if that is known.
  case background(number: Int64, remaining: Duration?)
  case foreground
  /// The app's background tasks have to end.
  case expiry
  /// A person did something in the app's view.
  case acted(AppInterface.Acted)
  /// Memory is short.
  case shortage
  /// There was a significant time change.
  case newTime
}

/// An errand: work that the daemon has the app do in the background.
package enum Errand: Hashable, Sendable {
  /// A fetch of new content.
  case fetch(number: Int64, remaining: Duration)
  /// A task that the app has requested.
  case task(AppInterface.PerformTask)
  /// The end of a task's time is near.
  case expiry(number: Int64)
}

/// A call to the daemon: every method of `dev.nightjar.App` except `Attach`.
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
  case forgetDecisions(AppInterface.ForgetDecisions.Parameters)
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

  /// The task that the call queues, if it queues one.
  var enqueued: AppInterface.NewTask? {
    guard case .enqueue(let parameters) = self else { return nil }
    return parameters.task
  }

  /// Whether the call matters to its line only, so that an unanswered one is not repeated: a new line makes such calls
  /// itself, or does not need them.
  var belongsToItsLine: Bool {
    switch self {
    case .openSession, .listTasks, .entered, .beginTask, .endTask, .setView: true
    case .enqueue, .suspend, .resume, .cancel, .cancelKeeping, .update, .acknowledge, .reportDamage, .answer,
      .finishEvents, .forgetDecisions, .closeSession, .ignoreSnapshot, .schedule, .cancelNotifications,
      .listNotifications, .setBadge, .takeNotification, .setFetchInterval, .submit, .cancelRequests, .listRequests,
      .finishFetch, .finishTask:
      false
    }
  }

  /// Whether the call is about an event, and is sent before sessions are opened again.
  var isAboutEvents: Bool {
    switch self {
    case .acknowledge, .reportDamage, .answer, .takeNotification: true
    case .openSession, .listTasks, .enqueue, .suspend, .resume, .cancel, .cancelKeeping, .update, .finishEvents,
      .forgetDecisions, .closeSession, .entered, .beginTask, .endTask, .setView, .ignoreSnapshot, .schedule,
      .cancelNotifications, .listNotifications, .setBadge, .setFetchInterval, .submit, .cancelRequests, .listRequests,
      .finishFetch, .finishTask:
      false
    }
  }
}

/// The daemon's answer to a call.
package enum Answer: Sendable {
  case opened(AppInterface.OpenSession.Reply)
  case listed(AppInterface.ListTasks.Reply)
  case done
  /// A task is queued, and goes on with this remnant.
  case resumed(AppInterface.Remnant)
  /// A task is cancelled, and has left this remnant.
  case left(AppInterface.Remnant?)
  /// The scheduled notifications, and those that are shown.
  case notifications(AppInterface.ListNotifications.Reply)
  /// The pending requests.
  case requests([AppInterface.BackgroundRequest])
  case refused(Refusal)
}

/// Why the daemon refused a call.
package enum Refusal: Hashable, Sendable {
  case notAttached
  case sessionInUse(pid: Int64)
  case sessionNotOpen
  case noSuchTask
  case sessionHasTasks
  case invalidRequest(field: String, reason: String)
  case limitReached(what: String, limit: Int64)
  /// The app does not declare a background mode; the hint is the command that declares it.
  case notDeclared(mode: String, hint: String)
  /// In a simulation, nothing stands in for the servers; the advice says what to do.
  case noServer(advice: String)
  /// An error that this library does not know.
  case other(name: String)
}
