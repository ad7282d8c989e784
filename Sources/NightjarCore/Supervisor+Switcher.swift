import NightjarModel

/// What apps show, and the app switcher: who was used when, what it looked like, and who was removed.
extension Supervisor {
  /// A person uses an app: it is the newest in the switcher, and what was removed is back.
  mutating func use(_ app: inout App) {
    app.record.card.used = nextCard()
    (app.record.card.isRemoved, app.record.card.isStale) = (false, false)
  }

  /// Puts the app in the foreground back into the switcher when a person launches it: after its removal, a process that
  /// nobody launched may be there.
  mutating func putBack(_ app: inout App, into turn: inout Turn) {
    guard app.record.card.isRemoved else { return }
    use(&app)
    turn.changes.keep(app.record)
  }

  private mutating func nextCard() -> Int64 {
    cardLast += 1
    return cardLast
  }

  // MARK: What it shows

  /// An app shows another view.
  mutating func show(_ view: Int64, byteCount: Int, by caller: Caller, into turn: inout Turn) throws(Refusal) {
    _ = try connection(of: caller)
    guard byteCount <= limits.viewBytesMax else {
      throw .limitReached(what: "bytes of a view", limit: limits.viewBytesMax)
    }
    apps[caller.app]?.view = view
    turn.touchedApps.append(caller.app)
  }

  /// Keeps what an app shows just now as its snapshot. One that is not in the switcher needs none.
  mutating func takeSnapshot(of id: AppID, into turn: inout Turn) {
    guard apps.contains(id), apps[there: id].view != nil, apps[there: id].record.card.used != nil else { return }
    let snapshot = nextCard()
    apps[there: id].record.card.snapshot = snapshot
    turn.changes.keep(apps[there: id].record)
    turn.deeds.append(.keepSnapshot(id))
    turn.touchedApps.append(id)
  }

  mutating func ignoreSnapshot(of id: AppID, into turn: inout Turn) {
    guard var record = apps[id]?.record, !record.card.isStale else { return }
    record.card.isStale = true
    apps[id]?.record = record
    turn.changes.keep(record)
    turn.touchedApps.append(id)
  }

  /// Drops an app's view. It draws anew when it comes to the foreground; until then its snapshot stands for it.
  func dropView(of app: inout App, into turn: inout Turn) {
    guard app.view != nil else { return }
    app.view = nil
    turn.deeds.append(.dropView(app.id))
  }

  /// Tells an app what a person did in its view.
  mutating func act(_ action: ViewAction, in id: AppID, at now: Age, into turn: inout Turn) throws(Refusal) {
    let app = try bundle(id)
    guard (1...Limits.actionNameBytesMax).contains(action.name.utf8.count) else {
      throw .invalid(field: "action", reason: "an action's name has 1 to \(Limits.actionNameBytesMax) bytes")
    }
    guard action.byteCount <= limits.actionBytesMax else {
      throw .limitReached(what: "bytes of an action and its fields", limit: limits.actionBytesMax)
    }
    guard app.isInForeground, case .running = app.life, let ear = app.ear else { throw .notInForeground(id) }
    learnUse(at: now)
    turn.deeds.append(.tell(ear, .acted(action)))
  }

  // MARK: Removal

  /// A person removes an app from the switcher: it ends, its transfers are cancelled, and nothing launches it until the
  /// person does. It hears of its transfers then.
  mutating func removeFromSwitcher(_ id: AppID, at now: Age, into turn: inout Turn) throws(Refusal) {
    var app = try bundle(id)
    let wasRemoved = app.record.card.isRemoved
    // One that was removed before may be about to be launched by a person, or run though nobody launched it.
    guard !wasRemoved || app.relaunchArguments != nil || app.life != .notRunning && !app.isEnding else { return }
    app.record.card = Card(isRemoved: true)
    plan.isDisturbed = true
    turn.changes.keep(app.record)
    turn.deeds.append(.forgetLooks(id))
    if !wasRemoved || !app.isEnding {
      remember(.terminated, "is removed from the switcher by a person", of: &app, into: &turn)
    }
    let reason = "it was removed from the switcher meanwhile"
    refuseLaunch(&app, reason, into: &turn)
    withdrawErrand(
      of: &app, because: .fetchRefused(id, code: "removedFromSwitcher", reason: reason), into: &turn)
    if app.life != .notRunning { end(&app, politely: true, at: now, into: &turn) }
    apps[id] = app
    cancelAll(of: id, at: now, into: &turn)
    touch(id, into: &turn)
  }

  /// Has the looks of removed apps forgotten once more: an earlier daemon may have been killed before it had done so.
  func forgetRemovedLooks(into turn: inout Turn) {
    for id in apps.keys.sorted() where apps[id]!.record.card.isRemoved { turn.deeds.append(.forgetLooks(id)) }
  }

  private mutating func cancelAll(of id: AppID, at now: Age, into turn: inout Turn) {
    let all = transfers.ofApp[id]?.entries(after: nil, limit: .max).map(\.key) ?? []
    for transfer in all where transfers[transfer]?.state.isEnded == false {
      cancel(transfer, as: .removedFromSwitcher, at: now, into: &turn)
    }
  }

  /// Cancels what an app queues on its way out, after it was removed from the switcher.
  mutating func cancelIfRemoved(_ transfer: TransferID, of id: AppID, at now: Age, into turn: inout Turn) {
    guard apps[id]?.record.card.isRemoved == true else { return }
    cancel(transfer, as: .removedFromSwitcher, at: now, into: &turn)
  }
}

extension TransferFailure {
  fileprivate static let removedFromSwitcher = TransferFailure(
    .cancelledByPerson, "a person removed the app from the switcher")
}
