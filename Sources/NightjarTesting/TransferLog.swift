import Foundation
import Nightjar
import NightjarCore
import NightjarModel
import NightjarWire

/// The transfers of a simulation, in the order in which they were queued.
struct TransferLog: Sendable {
  private var entries: [AppHistory.Transfer] = []
  private var places: [TransferID: Int] = [:]
  /// The places of transfers whose end was told but not acknowledged, by the event's number.
  private var untold: [Int64: Int] = [:]

  var all: [AppHistory.Transfer] { entries }

  /// A task was queued. A repeated call is not counted again.
  mutating func queue(_ task: AppInterface.NewTask, in session: String, as id: TransferID, at now: AppHistory.Moment) {
    guard places[id] == nil else { return }
    places[id] = entries.count
    entries.append(
      AppHistory.Transfer(
        kind: task.direction == .upload ? .upload : .download, session: session, taskIdentifier: Int(task.task),
        url: URL(string: task.url), queued: now))
  }

  /// An attempt begins.
  mutating func begin(_ id: TransferID, at now: AppHistory.Moment) {
    change(id) { entry in
      entry.begun = entry.begun ?? now
      entry.attempts += 1
    }
  }

  /// A transfer ended. It ends again if its file is found damaged and is downloaded again; the first end counts.
  mutating func end(_ id: TransferID, _ outcome: Outcome, at now: AppHistory.Moment) {
    change(id) { entry in
      guard entry.ended == nil else { return }
      entry.ended = now
      switch outcome {
      case .succeeded(let response, _): entry.statusCode = response.status
      case .failed(let failure): entry.error = URLError.Code(failure.code)
      }
    }
  }

  /// A transfer was discarded. One that had not ended was cancelled with its session.
  mutating func drop(_ id: TransferID, at now: AppHistory.Moment) {
    change(id) { entry in
      guard entry.ended == nil else { return }
      (entry.ended, entry.error) = (now, .cancelled)
    }
  }

  /// The app is about to be told of a transfer's end.
  mutating func tell(_ ended: Message.Ended) {
    let place = entries.lastIndex { $0.session == ended.session && $0.taskIdentifier == ended.task }
    guard let place else { return }
    entries[place].bytes = ended.count
    untold[ended.number] = place
  }

  /// The app has acknowledged an end: its delegate has been told.
  mutating func told(_ number: Int64, at now: AppHistory.Moment) {
    guard let place = untold.removeValue(forKey: number) else { return }
    entries[place].told = now
  }

  private mutating func change(_ id: TransferID, _ change: (inout AppHistory.Transfer) -> Void) {
    if let place = places[id] { change(&entries[place]) }
  }
}
