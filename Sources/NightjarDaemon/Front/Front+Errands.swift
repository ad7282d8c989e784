import NightjarCore
import NightjarModel
import NightjarWire
import Varlink

/// The calls of apps about fetches and background tasks.
extension Front {
  func handleErrands(_ interface: inout VarlinkInterface) {
    interface.handle(AppInterface.SetFetchInterval.self) { [self] call throws(VarlinkError) in
      let interval = try reading(try call.parameters.interval())
      try ask(.setFetchInterval(interval), call)
    }
    interface.handle(AppInterface.FinishFetch.self) { [self] call throws(VarlinkError) in
      try ask(.finishFetch(call.parameters.number, FetchOutcome(call.parameters.outcome)), call)
    }
    interface.handle(AppInterface.SubmitRequest.self) { [self] call throws(VarlinkError) in
      try ask(.submit(BackgroundRequest(call.parameters.request)), call)
    }
    interface.handle(AppInterface.CancelRequests.self) { [self] call throws(VarlinkError) in
      try ask(.cancelRequests(call.parameters.identifier), call)
    }
    interface.handle(AppInterface.ListRequests.self) { [self] call throws(VarlinkError) in
      try ask(.listRequests, call) { answer in
        guard case .requests(let requests) = answer else { return nil }
        return .init(requests: requests.map(AppInterface.BackgroundRequest.init))
      }
    }
    interface.handle(AppInterface.FinishTask.self) { [self] call throws(VarlinkError) in
      try ask(.finishRequestedTask(call.parameters.number, success: call.parameters.success), call)
    }
  }
}
