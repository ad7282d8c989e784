import NightjarCore
import NightjarModel
import NightjarWire
import Varlink

extension Front {
  /// Answers `ListRecords`.
  func listRecords(
    _ call: VarlinkCall<ControlInterface.ListRecords.Parameters, ControlInterface.ListRecords.Reply>
  ) {
    let limit = Int(clamping: call.parameters.limit ?? .max)
    order(.listHistory(AppID(call.parameters.app), limit: limit), call) { answer in
      if case .history(let entries) = answer { .init(records: entries.map(\.message)) } else { nil }
    }
  }
}

extension HistoryEntry {
  fileprivate var message: ControlInterface.Record {
    ControlInterface.Record(at: at.nanoseconds / 1_000_000, kind: kind.rawValue, sentence: sentence)
  }
}
