import NightjarModel

/// Transfers that failed for lack of what may come at any moment, so that its coming can end their wait.
struct Stranded: Sendable {
  /// Those that another network gives a new chance.
  private(set) var ofNetwork = OrderedIndex<TransferID, Void>()
  /// Those whose servers have certificates that are not valid yet.
  private(set) var ofClock = OrderedIndex<TransferID, Void>()
  /// How far the wall clock was ahead of ages when it was last seen: what grows when it is set forward.
  private var lead: Duration?

  /// Takes in how a transfer stands; with nil, that it is gone.
  mutating func arrange(_ id: TransferID, _ state: TransferState?) {
    ofNetwork[id] = state?.profitsByNetwork == true ? () : nil
    ofClock[id] = state?.waitsForClock == true ? () : nil
  }

  /// Takes in the wall clock. True if it was set forward by more than the slack since it was last seen.
  mutating func see(_ wall: Timestamp, at now: Age, slack: Duration) -> Bool {
    let (old, new) = (lead, wall - Timestamp(nanoseconds: 0) - now.sinceFirst)
    lead = new
    return old.map { new - $0 > slack } ?? false
  }
}

extension Transfers {
  /// Has transfers go on that the new network gives a chance.
  mutating func useNetwork(into turn: inout Turn) { revive(stranded.ofNetwork, into: &turn) }

  /// Has transfers go on that waited for the right date, if the wall clock was set forward.
  mutating func see(_ wall: Timestamp, at now: Age, slack: Duration, into turn: inout Turn) {
    if stranded.see(wall, at: now, slack: slack) { revive(stranded.ofClock, into: &turn) }
  }

  private mutating func revive(_ ids: OrderedIndex<TransferID, Void>, into turn: inout Turn) {
    for (id, _) in ids.entries(after: nil, limit: .max) { change(id, into: &turn) { $0.revive() } }
  }
}

extension TransferState {
  /// Whether only a network is missing, or the next failure may be the first on another one.
  fileprivate var profitsByNetwork: Bool {
    switch phase {
    case .waiting(_, let failure): failure.isOfNetwork
    case .queued, .running, .stopping: failures > 0
    case .asking, .delivering, .undelivered, .ended: false
    }
  }

  /// Whether only the right date is missing.
  fileprivate var waitsForClock: Bool {
    if case .waiting(_, let failure) = phase { failure.isOfClock } else { false }
  }

  /// Lets it go on, since what it lacked has come, or may have. Earlier failures no longer count: the first attempt may
  /// come too early, as before names can be looked up, and must not wait the longest time for that.
  fileprivate mutating func revive() -> Bool {
    _ = hurry()
    failures = 0
    return true
  }
}

extension TransferFailure {
  /// Whether it may be the network's.
  fileprivate var isOfNetwork: Bool {
    switch code {
    case .cannotFindHost, .cannotConnect, .notConnected, .connectionLost, .timedOut: true
    case .badURL, .secureConnectionFailed, .certificateUntrusted, .certificateExpired, .certificateNotYetValid,
      .clientCertificateRequired, .tooManyRedirects, .badRedirect, .badServerResponse, .serverBusy, .diskFull,
      .cannotWrite, .cannotReadSource, .sourceChanged, .destinationExists, .checksumMismatch, .resourceTimedOut,
      .cancelled, .cancelledByPerson, .appRemoved:
      false
    }
  }

  /// Whether it is most likely our wall clock's, which is behind: a machine without a battery for it starts with an old
  /// date.
  var isOfClock: Bool { code == .certificateNotYetValid }
}
