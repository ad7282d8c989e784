import NightjarModel

/// Time that is given back to transfers in which nobody was heard.
extension Transfers {
  /// Makes up for a standstill: each transfer that the engine owes a report on counts as heard of `lost` later.
  mutating func postpone(by lost: Duration, at now: Age) {
    for var transfer in table.values.map(\.value) where transfer.state.isOwedWord {
      transfer.heard = min(transfer.heard + lost, now)
      table[transfer.id] = Boxed(transfer)
      arrange(transfer)
    }
  }

  /// Gives apps the time back in which they could not answer the questions of these transfers.
  mutating func postponeQuestions(of asking: [TransferID], by lost: Duration) {
    for id in asking {
      guard var transfer = self[id], case .asking(let question, let until) = transfer.state.phase else { continue }
      transfer.record.state.phase = .asking(question, until: until + lost)
      table[transfer.id] = Boxed(transfer)
      arrange(transfer)
    }
  }
}
