public import NightjarCore
import NightjarModel

extension Digest {
  /// Takes in what a turn changes, in the order of its keys, and what it does, in its own order.
  ///
  /// Each table, deed and message has a number of its own, so that none can pass for another.
  public mutating func fold(_ turn: Turn) {
    foldTransfers(turn.changes)
    foldApps(turn.changes)
    foldNotices(turn.changes)
    foldFetches(turn.changes)
    foldDevice(turn.changes)
    for deed in turn.deeds { fold(deed) }
  }

  private mutating func foldTransfers(_ changes: Changes) {
    each(1, changes.transfers) { digest, id, change in
      digest.fold(id.rawValue)
      digest.fold(change)
    }
    each(2, changes.wakes) { digest, number, wake in
      digest.fold(number)
      digest.fold(wake?.app.rawValue ?? "")
      digest.fold(wake?.crashes ?? -1)
    }
    each(3, changes.sessions) { digest, id, session in
      digest.fold(words: id.app.rawValue, id.identifier)
      digest.fold(session?.nextTask ?? -1)
    }
    each(4, changes.remnants) { digest, key, remnant in
      digest.fold(words: key.high, key.low)
      digest.fold(remnant?.point.offset ?? -1)
    }
  }

  private mutating func foldApps(_ changes: Changes) {
    each(5, changes.apps) { digest, id, app in
      digest.fold(id.rawValue)
      digest.fold(app?.life ?? -1)
      digest.fold(app?.attachedLife ?? -1)
      digest.fold(app?.notBefore?.sinceFirst.wholeMilliseconds ?? -1)
    }
    each(6, changes.departures) { digest, id, isLeft in
      digest.fold(id.rawValue)
      digest.fold(isLeft ? 1 : 0)
    }
    each(7, changes.history) { digest, id, entry in
      digest.fold(id.app.rawValue)
      digest.fold(id.number)
      digest.fold(entry?.sentence ?? "")
    }
  }

  private mutating func foldNotices(_ changes: Changes) {
    each(8, changes.scheduled) { digest, key, notice in
      digest.fold(key.app.rawValue)
      digest.fold(words: key.key.high, key.key.low)
      digest.fold(notice?.since?.milliseconds ?? -1)
    }
    each(9, changes.notices) { digest, id, notice in
      digest.fold(id.rawValue)
      digest.fold(notice.map { "\($0.stage)" } ?? "gone")
    }
  }

  private mutating func foldFetches(_ changes: Changes) {
    each(10, changes.fetches) { digest, id, record in
      digest.fold(id.rawValue)
      digest.fold(record?.open ?? -1)
      digest.fold(record?.begunAt?.sinceFirst.wholeMilliseconds ?? -1)
      digest.fold(record?.freshAt?.sinceFirst.wholeMilliseconds ?? -1)
    }
    each(11, changes.requests) { digest, id, record in
      digest.fold(words: id.app.rawValue, id.identifier)
      digest.fold(record?.errand ?? -1)
    }
    each(12, changes.decisions) { digest, number, decision in
      digest.fold(number)
      digest.fold(decision)
    }
  }

  /// Of the habits only that they are saved: to have them as bytes takes longer than to learn them, and what was
  /// learned shows in the decisions.
  private mutating func foldDevice(_ changes: Changes) {
    if let simulated = changes.simulated {
      fold(words: 13)
      fold("\(simulated)")
    }
    if let refreshes = changes.refreshes { fold(words: 14, refreshes ? 1 : 0) }
    if changes.savesHabits { fold(words: 15) }
    if let budget = changes.budget {
      fold(words: 16, budget.days.bitPattern)
      for account in budget.accounts { fold(words: account.left.bitPattern, account.price.bitPattern) }
    }
  }

  /// Takes in the changes of a table in the order of their keys.
  private mutating func each<Key: Comparable, Change>(
    _ table: UInt64, _ changes: [Key: Change], _ take: (inout Digest, Key, Change) -> Void
  ) {
    guard !changes.isEmpty else { return }
    fold(words: table, UInt64(changes.count))
    if changes.count == 1 {  // As mostly: there is nothing to sort.
      for (key, change) in changes { take(&self, key, change) }
    } else {
      for key in changes.keys.sorted() {
        if let change = changes[key] { take(&self, key, change) }
      }
    }
  }

  private mutating func fold(_ decision: FetchDecision?) {
    guard let decision else { return fold("gone") }
    fold(decision.app.rawValue)
    fold(words: decision.verdict.rawValue, decision.outcome?.rawValue ?? "")
  }

  private mutating func fold(_ change: Changes.TransferChange) {
    switch change {
    case .added(let record), .revised(let record): fold(record.state)
    case .changed(let state): fold(state)
    case .removed: fold(-1)
    }
  }

  private mutating func fold(_ state: TransferState) {
    fold(state.attempts)
    fold(state.failures)
    fold(state.isSuspended ? 1 : 0)
    fold(state.resume?.offset ?? -1)
    switch state.phase {
    case .queued: fold(1)
    case .running: fold(2)
    case .stopping: fold(3)
    case .asking(_, let until): fold(4, until)
    case .waiting(let until, _): fold(5, until)
    case .delivering: fold(6)
    case .undelivered(let until, _, _, _): fold(7, until)
    case .ended(_, let at): fold(8, at)
    }
  }

  private mutating func fold(_ phase: Int, _ time: Age?) {
    fold(phase)
    fold(time?.sinceFirst.wholeMilliseconds ?? -1)
  }

  private mutating func fold(_ deed: Deed) {
    switch deed {
    case .answer(let ticket, _): fold(words: 17, ticket.rawValue)
    case .tell(let connection, let message):
      fold(words: 18, connection.rawValue)
      fold(message)
    case .dismiss(let connection): fold(words: 19, connection.rawValue)
    case .start(let order): fold(words: 20, UInt64(order.id.rawValue), UInt64(order.attempt))
    case .stop(let id, let attempt): fold(words: 21, UInt64(id.rawValue), UInt64(attempt))
    case .discard(let id): fold(words: 22, UInt64(id.rawValue))
    case .deliver(let order): fold(words: 23, UInt64(order.id.rawValue), UInt64(order.attempt))
    case .launch(let order): fold(24, order.app.id, UInt64(order.life), order.isBackground ? 1 : 0)
    case .suspend(let app, let life, let stint): fold(25, app, UInt64(life), UInt64(stint))
    case .thaw(let app, let life): fold(26, app, UInt64(life))
    case .inspect(let app, let life): fold(27, app, UInt64(life))
    case .end(let app, let life, let politely): fold(28, app, UInt64(life), politely ? 1 : 0)
    case .keepSnapshot(let app): fold(29, app)
    case .dropView(let app): fold(30, app)
    case .forgetLooks(let app): fold(31, app)
    case .measure(let question, let lives):
      fold(words: 32, UInt64(question))
      for life in lives { fold(33, life.app, UInt64(life.life)) }
    case .meter(let app, let life, let errand): fold(34, app, UInt64(life), UInt64(errand))
    case .uninstall(let app): fold(35, app)
    case .show(let banner): fold(36, banner.app, UInt64(banner.id.rawValue))
    case .restore(let seen, let unseen):
      fold(words: 37, UInt64(seen.count), UInt64(unseen.count))
      for id in seen.map(\.id) + unseen { fold(words: UInt64(id.rawValue)) }
    case .retract(let id): fold(words: 38, UInt64(id.rawValue))
    case .note(let app, let text):
      fold(words: 39)
      fold(app?.rawValue ?? "")
      fold(text)
    }
  }

  private mutating func fold(_ message: Message) {
    switch message {
    case .handleEvents(let session): fold(40, session)
    case .progressed(let session, let task, let count, _): fold(41, session, UInt64(task), UInt64(count))
    case .informed(let session, let task, let response): fold(42, session, UInt64(task), UInt64(response.status))
    case .ended(let ended): fold(43, ended.session, UInt64(ended.task), UInt64(ended.number))
    case .asked(let asked): fold(44, asked.session, UInt64(asked.task), UInt64(asked.number))
    case .eventsFinished(let session): fold(45, session)
    case .enterBackground(let number, _): fold(words: 46, UInt64(number))
    case .enterForeground: fold(words: 47)
    case .expireBackgroundTasks: fold(words: 48)
    case .acted(let action): fold(49, action.name)
    case .memoryWarning: fold(words: 50)
    case .significantTimeChange: fold(words: 56)
    case .standing(let standing):
      fold(words: 51, UInt64(standing.badge), standing.settings.alerts ? 1 : 0, UInt64(standing.power.battery ?? 101))
    case .performFetch(let number, _): fold(words: 52, UInt64(number))
    case .performRequestedTask(let number, _, let identifier, _): fold(53, identifier, UInt64(number))
    case .expireRequestedTask(let number): fold(words: 54, UInt64(number))
    case .noticed(let noticed): fold(words: 55, UInt64(noticed.id.rawValue), noticed.isTapped ? 1 : 0)
    }
  }

  private mutating func fold(_ kind: UInt64, _ app: AppID, _ words: UInt64...) {
    fold(kind)
    fold(app.rawValue)
    for word in words { fold(word) }
  }

  private mutating func fold(_ kind: UInt64, _ text: String, _ words: UInt64...) {
    fold(kind)
    fold(text)
    for word in words { fold(word) }
  }

  private mutating func fold(words: UInt64...) { for word in words { fold(word) } }
}
