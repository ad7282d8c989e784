package import NightjarModel

// Fetches and tasks that an app puts off, between the words of the protocol and those of the core: the daemon and
// NightjarTesting say them alike.

extension AppInterface.SetFetchInterval.Parameters {
  /// The interval that is asked for; nil for none. What is longer than a hundred years is as long as that.
  ///
  /// - Throws: `InvalidRequest` for what is no time between two fetches.
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
  /// What an app says of its fetch.
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
  /// The request as a message asks for it. A time that nanoseconds cannot count is the nearest that they can.
  package init(_ message: AppInterface.BackgroundRequest) {
    let begin = message.earliestBegin.map { Timestamp(milliseconds: min(max($0, -Self.timeMax), Self.timeMax)) }
    self.init(
      identifier: message.identifier, kind: Kind(message.kind), earliestBegin: begin,
      needsNetwork: message.network ?? false, needsPower: message.power ?? false)
  }

  /// Milliseconds that nanoseconds can still count.
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
