package import NightjarModel

// Translates fetches and background requests between the protocol's types and the core's, for the daemon and
// NightjarTesting.

extension AppInterface.SetFetchInterval.Parameters {
  /// The requested interval, cut to a hundred years; nil for none.
  ///
  /// - Throws: `InvalidRequest` for a number that is no time between two fetches.
  package func interval() throws(AppInterface.InvalidRequest) -> Duration? {
    guard let seconds else { return nil }
    guard seconds >= 0 else {
      throw AppInterface.InvalidRequest(
        field: "seconds", reason: "\(seconds) is no time between two fetches; give 0 or more, or null for never")
    }
    return .seconds(min(seconds, 3_155_760_000))
  }
}

extension FetchOutcome {
  /// The outcome as an app reports it.
  package init(_ outcome: AppInterface.FinishFetch.Outcome) {
    self =
      switch outcome {
      case .newData: .newData
      case .noData: .noData
      case .failed: .failed
      }
  }
}

extension BackgroundRequest {
  /// The request that a message asks for. A time beyond what nanoseconds can count becomes the nearest that they can.
  package init(_ message: AppInterface.BackgroundRequest) {
    let begin = message.earliestBegin.map { Timestamp(milliseconds: min(max($0, -Self.timeMax), Self.timeMax)) }
    self.init(
      identifier: message.identifier, kind: Kind(message.kind), earliestBegin: begin,
      needsNetwork: message.network ?? false, needsPower: message.power ?? false)
  }

  /// The most milliseconds that nanoseconds can count.
  private static let timeMax: Int64 = 9_000_000_000_000
}

extension AppInterface.BackgroundRequest {
  /// The request as its app is told it.
  package init(_ request: BackgroundRequest) {
    self.init(
      identifier: request.identifier, kind: Kind(request.kind), earliestBegin: request.earliestBegin?.milliseconds,
      network: request.needsNetwork ? true : nil, power: request.needsPower ? true : nil)
  }
}

extension BackgroundRequest.Kind {
  fileprivate init(_ kind: AppInterface.BackgroundRequest.Kind) {
    switch kind {
    case .refresh: self = .refresh
    case .processing: self = .processing
    }
  }
}

extension AppInterface.BackgroundRequest.Kind {
  /// What a task is for, as its app is told it.
  package init(_ kind: BackgroundRequest.Kind) {
    switch kind {
    case .refresh: self = .refresh
    case .processing: self = .processing
    }
  }
}

extension AppInterface.NotDeclared {
  /// An app does not declare a background mode.
  package init(_ mode: String, of app: AppID) {
    self.init(mode: mode, hint: "nightjar capabilities \(app) add \(mode)")
  }
}
