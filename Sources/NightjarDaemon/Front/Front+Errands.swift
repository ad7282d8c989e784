import NightjarCore
import NightjarModel
import NightjarWire
import Varlink

/// What apps want to be woken for, and what they say of it.
extension Front {
  func handleErrands(_ interface: inout VarlinkInterface) {
    interface.handle(AppInterface.SetFetchInterval.self) { [self] call throws(VarlinkError) in
      try order(.setFetchInterval(try Duration.interval(call.parameters.seconds)), call)
    }
    interface.handle(AppInterface.FinishFetch.self) { [self] call throws(VarlinkError) in
      let outcome = FetchOutcome(rawValue: call.parameters.outcome.rawValue)!
      try order(.finishFetch(call.parameters.number, outcome), call)
    }
    interface.handle(AppInterface.SubmitRequest.self) { [self] call throws(VarlinkError) in
      try order(.submit(try BackgroundRequest(call.parameters.request)), call)
    }
    interface.handle(AppInterface.CancelRequests.self) { [self] call throws(VarlinkError) in
      try order(.cancelRequests(call.parameters.identifier), call)
    }
    interface.handle(AppInterface.ListRequests.self) { [self] call throws(VarlinkError) in
      try ask(.listRequests, call) { answer in
        guard case .requests(let requests) = answer else { return nil }
        return .init(requests: requests.map(AppInterface.BackgroundRequest.init))
      }
    }
    interface.handle(AppInterface.FinishTask.self) { [self] call throws(VarlinkError) in
      try order(.finishTask(call.parameters.number, success: call.parameters.success), call)
    }
  }
}

extension Duration {
  /// An interval in seconds as an app gives it; nil for none. What is longer than a hundred years is as long as that.
  fileprivate static func interval(_ seconds: Double?) throws(VarlinkError) -> Duration? {
    guard let seconds else { return nil }
    guard seconds >= 0 else {
      throw AppInterface.InvalidRequest(
        field: "seconds", reason: "\(seconds) is no time between two fetches; give 0 or more, or null for never"
      ).varlink
    }
    return .seconds(min(seconds, 3_155_760_000))
  }
}

extension BackgroundRequest {
  fileprivate init(_ message: AppInterface.BackgroundRequest) throws(VarlinkError) {
    let begin = message.earliestBegin.map { Timestamp(milliseconds: min(max($0, -Self.timeMax), Self.timeMax)) }
    self.init(
      identifier: message.identifier, kind: Kind(rawValue: message.kind.rawValue)!, earliestBegin: begin,
      needsNetwork: message.network ?? false, needsPower: message.power ?? false)
  }

  /// Milliseconds that nanoseconds can still count.
  private static let timeMax: Int64 = 9_000_000_000_000
}

extension AppInterface.BackgroundRequest {
  fileprivate init(_ request: BackgroundRequest) {
    self.init(
      identifier: request.identifier, kind: Kind(rawValue: request.kind.rawValue)!,
      earliestBegin: request.earliestBegin?.milliseconds, network: request.needsNetwork ? true : nil,
      power: request.needsPower ? true : nil)
  }
}
