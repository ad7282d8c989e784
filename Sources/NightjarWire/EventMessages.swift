package import NightjarModel

// Translates what the daemon tells an attached app from the core's types to the protocol's, for the daemon and
// NightjarTesting.

extension Message {
  /// The message as one reply of an attached client's stream.
  package var reply: AppInterface.Attach.Reply {
    switch self {
    case .handleEvents(let session):
      .init(handleEvents: .init(session: session))
    case .progressed(let session, let task, let count, let expected):
      .init(progressed: .init(session: session, task: Int64(task), count: count, expected: expected))
    case .informed(let session, let task, let response):
      .init(informed: .init(session: session, task: Int64(task), response: .init(response)))
    case .ended(let ended):
      .init(ended: .init(ended))
    case .eventsFinished(let session):
      .init(eventsFinished: .init(session: session))
    case .asked(let asked):
      .init(asked: .init(asked))
    case .enterBackground(let number, let remaining):
      .init(enterBackground: .init(number: number, remainingMs: remaining.wholeMilliseconds))
    case .enterForeground:
      .init(enterForeground: .init())
    case .expireBackgroundTasks:
      .init(expireTasks: .init())
    case .acted(let action):
      .init(acted: .init(action: action.name, fields: action.fields))
    case .memoryWarning:
      .init(memoryWarning: .init())
    case .significantTimeChange:
      .init(significantTimeChange: .init())
    case .standing(let standing):
      .init(standing: .init(standing))
    case .noticed(let noticed):
      .init(notified: .init(noticed))
    case .performFetch(let number, let remaining):
      .init(performFetch: .init(number: number, remainingMs: remaining.wholeMilliseconds))
    case .performRequestedTask(let number, let kind, let identifier, let remaining):
      .init(
        performTask: .init(
          number: number, identifier: identifier, kind: .init(kind),
          remainingMs: remaining.wholeMilliseconds))
    case .expireRequestedTask(let number):
      .init(expireTask: .init(number: number))
    }
  }
}

extension AppInterface.Attached {
  /// The first event of an attachment.
  package init(
    _ app: AppID, life: Int, isBackground: Bool, transition: Int64?, _ standing: Standing?, _ noticed: Message.Noticed?
  ) {
    self.init(
      app: app.rawValue, life: Int64(life), background: isBackground, transition: transition,
      standing: standing.map(AppInterface.Standing.init), notified: noticed.map(AppInterface.Notified.init))
  }
}

extension AppInterface.Ended {
  fileprivate init(_ ended: Message.Ended) {
    self.init(
      number: ended.number, session: ended.session, task: Int64(ended.task), count: ended.count,
      expected: ended.expected, metrics: ended.metrics.map(WireMetrics.init),
      remnant: ended.remnant.map(AppInterface.Remnant.init))
    switch ended.outcome {
    case .succeeded(let response, let file):
      (self.response, destination) = (AppInterface.Response(response), ended.destination)
      if destination == nil { self.file = AppInterface.StagedFile(file) }
    case .failed(let failure):
      (self.response, self.failure) = (ended.answer.map(AppInterface.Response.init), FailureMessage(failure))
    }
  }
}

extension AppInterface.StagedFile {
  fileprivate init(_ file: NightjarModel.StagedFile) {
    self.init(
      path: file.path, size: file.stamp.size, modified: file.stamp.modified,
      inode: Int64(bitPattern: file.stamp.inode))
  }
}

extension AppInterface.Notified {
  /// A notification as its app is told it.
  package init(_ noticed: Message.Noticed) {
    self.init(number: noticed.id.rawValue, notification: .init(noticed.request), tapped: noticed.isTapped)
  }
}
