public import NightjarCore
import NightjarModel

extension Digest {
  /// Takes in what a turn changes, in the order of its keys, and what it does, in its own order.
  public mutating func fold(_ turn: Turn) {
    for id in inOrder(turn.changes.transfers) {
      fold(id.rawValue)
      if let change = turn.changes.transfers[id] { fold(change) }
    }
    each(turn.changes.wakes) { digest, number, wake in
      digest.fold(number)
      digest.fold(wake?.crashes ?? -1)
    }
    each(turn.changes.sessions) { digest, id, session in
      digest.fold(id.identifier)
      digest.fold(session?.nextTask ?? -1)
    }
    each(turn.changes.apps) { digest, id, app in
      digest.fold(id.rawValue)
      digest.fold(app?.life ?? -1)
      digest.fold(app?.attachedLife ?? -1)
      digest.fold(app?.notBefore?.sinceFirst.wholeMilliseconds ?? -1)
    }
    each(turn.changes.history) { digest, id, entry in
      digest.fold(UInt64(id.number))
      digest.fold(entry?.sentence ?? "")
    }
    if let simulated = turn.changes.simulated { fold("\(simulated)") }
    each(turn.changes.remnants) { digest, key, remnant in
      digest.fold(key.low)
      digest.fold(remnant?.point.offset ?? -1)
    }
    each(turn.changes.scheduled) { digest, key, notice in
      digest.fold(key.key.low)
      digest.fold(notice?.since?.milliseconds ?? -1)
    }
    each(turn.changes.notices) { digest, id, notice in
      digest.fold(id.rawValue)
      digest.fold(notice.map { "\($0.stage)" } ?? "gone")
    }
    each(turn.changes.decisions) { digest, number, decision in
      digest.fold(number)
      digest.fold(decision)
    }
    for deed in turn.deeds { fold(deed) }
  }

  /// Takes in changes in the order of their keys; nil for what is gone.
  private mutating func each<Key: Comparable, Row>(
    _ changes: [Key: Row?], _ take: (inout Digest, Key, Row?) -> Void
  ) {
    for key in inOrder(changes) { take(&self, key, changes[key] ?? nil) }
  }

  /// Mostly there is nothing to sort. The changes themselves are large, and stay where they are.
  private func inOrder<Key: Comparable, Change>(_ changes: [Key: Change]) -> [Key] {
    changes.isEmpty ? [] : changes.count == 1 ? Array(changes.keys) : changes.keys.sorted()
  }

  private mutating func fold(_ decision: FetchDecision?) {
    guard let decision else { return fold("gone") }
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
    case .asking(_, let until): fold(until.sinceFirst.wholeMilliseconds)
    case .waiting(let until, _): fold(until.sinceFirst.wholeMilliseconds)
    case .delivering: fold(5)
    case .undelivered(let until, _, _, _): fold(until?.sinceFirst.wholeMilliseconds ?? 6)
    case .ended(_, let at): fold(at.sinceFirst.wholeMilliseconds)
    }
  }

  private mutating func fold(_ deed: Deed) {
    switch deed {
    case .answer(let ticket, _): fold(words: 1, ticket.rawValue)
    case .tell(let connection, let message):
      fold(words: 2, connection.rawValue)
      fold(message)
    case .dismiss(let connection): fold(words: 24, connection.rawValue)
    case .start(let order): fold(words: 3, UInt64(order.id.rawValue), UInt64(order.attempt))
    case .stop(let id, let attempt): fold(words: 4, UInt64(id.rawValue), UInt64(attempt))
    case .discard(let id): fold(words: 5, UInt64(id.rawValue))
    case .deliver(let order): fold(words: 6, UInt64(order.id.rawValue), UInt64(order.attempt))
    case .launch(let order): fold(words: 7, UInt64(order.life))
    case .end(_, let life, let politely): fold(words: 8, UInt64(life), politely ? 1 : 0)
    case .suspend(_, let life, let stint): fold(words: 9, UInt64(life), UInt64(stint))
    case .thaw(_, let life): fold(words: 13, UInt64(life))
    case .keepSnapshot(let app), .dropView(let app), .forgetLooks(let app), .uninstall(let app): fold(app.rawValue)
    case .inspect(_, let life): fold(words: 19, UInt64(life))
    case .measure(let question, let lives): fold(words: 17, UInt64(question), UInt64(lives.count))
    case .meter(_, let life, let errand): fold(words: 20, UInt64(life), UInt64(errand))
    case .show(let banner): fold(words: 17, UInt64(banner.id.rawValue))
    case .restore(let seen, let unseen):
      fold(words: 40, UInt64(seen.count), UInt64(unseen.count))
      for id in seen.map(\.id) + unseen { fold(words: UInt64(id.rawValue)) }
    case .retract(let id): fold(words: 18, UInt64(id.rawValue))
    case .note(_, let text): fold(text)
    }
  }

  private mutating func fold(_ message: Message) {
    switch message {
    case .handleEvents(let session): fold(session)
    case .progressed(_, let task, let count, _): fold(words: 10, UInt64(task), UInt64(count))
    case .informed(_, let task, let response): fold(words: 24, UInt64(task), UInt64(response.status))
    case .ended(let ended): fold(words: 11, UInt64(ended.number))
    case .eventsFinished(let session): fold(session)
    case .asked(let asked): fold(words: 12, UInt64(asked.number), UInt64(asked.task))
    case .enterBackground(let number, _): fold(words: 14, UInt64(number))
    case .enterForeground: fold(words: 15)
    case .expireBackgroundTasks: fold(words: 16)
    case .acted(let action): fold(action.name)
    case .memoryWarning: fold(words: 18)
    case .performFetch(let number, _): fold(words: 21, UInt64(number))
    case .performRequestedTask(let number, _, _, _): fold(words: 22, UInt64(number))
    case .expireRequestedTask(let number): fold(words: 23, UInt64(number))
    case .standing(let standing):
      fold(words: 19, UInt64(standing.badge), standing.settings.alerts ? 1 : 0, UInt64(standing.power.battery ?? 101))
    case .noticed(let noticed): fold(words: 20, UInt64(noticed.id.rawValue), noticed.isTapped ? 1 : 0)
    }
  }

  private mutating func fold(words: UInt64...) { for word in words { fold(word) } }
}
