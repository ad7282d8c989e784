public import NightjarCore
import NightjarModel

extension Digest {
  /// Takes in what a turn changes, in the order of its keys, and what it does, in its own order.
  public mutating func fold(_ turn: Turn) {
    for (id, change) in inOrder(turn.changes.transfers) {
      fold(id.rawValue)
      fold(change)
    }
    for (number, wake) in inOrder(turn.changes.wakes) {
      fold(number)
      fold(wake?.crashes ?? -1)
    }
    for (id, session) in inOrder(turn.changes.sessions) {
      fold(id.identifier)
      fold(session?.nextTask ?? -1)
    }
    for (id, app) in inOrder(turn.changes.apps) {
      fold(id.rawValue)
      fold(app?.life ?? -1)
      fold(app?.attachedLife ?? -1)
      fold(app?.notBefore?.sinceFirst.wholeMilliseconds ?? -1)
    }
    for (id, entry) in inOrder(turn.changes.history) {
      fold(words: UInt64(id.number))
      fold(entry?.sentence ?? "")
    }
    if let simulated = turn.changes.simulated { fold("\(simulated)") }
    for (key, remnant) in inOrder(turn.changes.remnants) {
      fold(words: key.low)
      fold(remnant?.point.offset ?? -1)
    }
    for (key, notice) in inOrder(turn.changes.scheduled) {
      fold(words: key.key.low)
      fold(notice?.since?.milliseconds ?? -1)
    }
    for (id, notice) in inOrder(turn.changes.notices) {
      fold(id.rawValue)
      fold(notice.map { "\($0.stage)" } ?? "gone")
    }
    for (number, decision) in inOrder(turn.changes.decisions) {
      fold(number)
      if let decision {
        fold(words: decision.verdict.rawValue, decision.outcome?.rawValue ?? "")
      } else {
        fold("gone")
      }
    }
    for deed in turn.deeds { fold(deed) }
  }

  /// By key; mostly there is nothing to sort.
  private func inOrder<Key: Comparable, Value>(_ changes: [Key: Value]) -> [(key: Key, value: Value)] {
    changes.isEmpty ? [] : changes.count == 1 ? Array(changes) : changes.sorted { $0.key < $1.key }
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
    case .ended(let ended): fold(words: 11, UInt64(ended.number))
    case .eventsFinished(let session): fold(session)
    case .asked(let asked): fold(words: 12, UInt64(asked.number), UInt64(asked.task))
    case .enterBackground(let number, _): fold(words: 14, UInt64(number))
    case .enterForeground: fold(words: 15)
    case .expireTasks: fold(words: 16)
    case .acted(let action): fold(action.name)
    case .memoryWarning: fold(words: 18)
    case .performFetch(let number, _): fold(words: 21, UInt64(number))
    case .performTask(let number, _, _, _): fold(words: 22, UInt64(number))
    case .expireTask(let number): fold(words: 23, UInt64(number))
    case .standing(let standing):
      fold(words: 19, UInt64(standing.badge), standing.settings.alerts ? 1 : 0, UInt64(standing.power.battery ?? 101))
    case .noticed(let noticed): fold(words: 20, UInt64(noticed.id.rawValue), noticed.isTapped ? 1 : 0)
    }
  }

  private mutating func fold(words: UInt64...) { for word in words { fold(word) } }
}
