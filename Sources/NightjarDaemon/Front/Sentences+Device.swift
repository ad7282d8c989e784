import NightjarModel

extension SignalSources {
  /// Where each signal comes from, one sentence for each.
  var sentences: [String] {
    var found = [
      "Network: \(network.words(service: "NetworkManager, and the kernel (rtnetlink)", kernel: "rtnetlink, sysfs")).",
      "Power and battery: \(power.words(service: "UPower", kernel: "sysfs, uevents")).",
      "Low power mode: \(lowPower.words(service: "the power profiles' daemon", kernel: "")).",
      "Locked screen: \(lock.words(service: "logind", kernel: "")).",
      "Sleep: \(sleep.words(service: "logind, and the kernel (timerfd)", kernel: "timerfd, when it is over")).",
      "The clock's being set: the kernel (timerfd).",
    ]
    if let busTrouble { found.append("No service is asked over D-Bus: \(busTrouble).") }
    return found
  }
}

extension SignalSources.Source {
  fileprivate func words(service: String, kernel: String) -> String {
    switch self {
    case .nobody: "nobody tells, so nothing waits for it"
    case .service: service
    case .kernel: "the kernel (\(kernel))"
    case .polled(let interval): "sysfs, polled every \(interval.inWords), since the kernel tells of no change here"
    }
  }
}
