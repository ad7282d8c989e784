import NightjarModel

/// What an app says of the events that it was told.
extension Supervisor {
  mutating func acknowledge(_ number: Int64, by app: AppID, into turn: inout Turn) {
    guard apps.contains(app), apps[there: app].wakes[number]?.isQuestion == false,
      let wake = dropWake(number, of: app, into: &turn)
    else {
      return  // A repetition, or a question, which only an answer settles.
    }
    drop(wake.transfer, into: &turn)
    if apps.contains(app) {
      apps[there: app].hasAcknowledged = true
      apps[there: app].acknowledgeBy = nil  // It gets on: the next deadline runs from now.
    }
    forgive(app, into: &turn)
  }

  /// The staged file of an event is damaged: a download is made again if it may be, an upload's reply is lost.
  mutating func redo(_ number: Int64, by app: AppID, at now: Age, into turn: inout Turn) {
    // A failed or delivered transfer has no staged file.
    guard let told = apps[app]?.wakes[number], !told.isQuestion, let transfer = transfers[told.transfer],
      transfer.request.destination == nil, case .ended(.succeeded, _) = transfer.state.phase,
      let wake = dropWake(number, of: app, into: &turn)
    else { return }
    apps[app]?.acknowledgeBy = nil
    if transfer.request.direction == .download { transfers.renew(wake.transfer, at: now, into: &turn) }
    turn.deeds.append(.note(app, "the staged file of transfer \(wake.transfer) was damaged"))
    let circumstances = circumstances(at: now)
    transfers.change(wake.transfer, into: &turn) { state in
      if transfer.request.direction == .download {
        let damage = TransferFailure(.cannotReadSource, "its staged file was damaged")
        state.beginAgain(after: damage, for: transfer.request, circumstances)
      } else {
        state.phase = .ended(
          .failed(TransferFailure(.cannotWrite, "the server's reply was damaged on the disk")), at: now)
      }
      return true
    }
  }

  /// The app's past failures no longer count.
  mutating func forgive(_ id: AppID, into turn: inout Turn) {
    guard apps.contains(id), apps[there: id].record.failures > 0 || apps[there: id].record.notBefore != nil else {
      return
    }
    (apps[there: id].record.failures, apps[there: id].record.notBefore) = (0, nil)
    turn.changes.keep(apps[there: id].record)
  }
}
