import NightjarModel

/// The processing tasks that apps have asked for: minutes of upkeep, for which the device has to be idle.
extension Supervisor {
  /// Runs the processing tasks that nothing stands in the way of, one at a time of each app; when it has to be looked
  /// again.
  mutating func runProcessingTasks(at now: Age, into turn: inout Turn) -> Age? {
    var look: Age?
    for id in plan.prospects.asking {
      guard var app = apps[id], !app.wakes.hasErrand, app.removalTickets == nil else { continue }
      for request in fetches.processingTasks(of: id) {
        let blockers = processingBlockers(app, request, at: now)
        guard obstacles(of: blockers, request, at: now).isEmpty else {
          look = [look, recheck(blockers, at: now)].compactMap { $0 }.min()
          continue
        }
        begin(request, of: &app, .fetch, at: now, into: &turn)
        apps[id] = app
        break
      }
    }
    return look
  }

  /// Cuts short the processing tasks that run when a person begins to use the device, or when what they need of it is
  /// gone, except those that a caller waits for.
  mutating func interruptProcessingTasks(at now: Age, into turn: inout Turn) {
    for id in fetches.busy {
      guard apps.contains(id), apps[there: id].wakes.errandKind == .processing,
        var errand = apps[there: id].wakes.errand, !errand.isWarned, errand.tickets.isEmpty,
        let reason = interruption(of: errand, at: now)
      else { continue }
      errand.cutShort(to: now + limits.taskWarning, for: reason)
      apps[there: id].wakes.errand = errand
      if let ear = apps[there: id].ear { turn.deeds.append(.tell(ear, .expireRequestedTask(number: errand.number))) }
      disturb(id)
    }
  }

  /// Why a processing task that runs must not run on. What passes by itself is no reason: a device that is about to
  /// sleep takes its apps along. Nor is the network, which is often back in a moment, and whose loss the app sees
  /// itself.
  private func interruption(of errand: Errand, at now: Age) -> FetchObstacle.Code? {
    guard let request = errand.request, case .told(let at, _) = errand.stage else {
      return nil
    }
    if isInUse(at: now), let usedAt = plan.usedAt, at <= usedAt { return .inUse }
    if lacksPower(for: request) { return .noPower }
    return deviceBlockers(for: request).first { !$0.passes && !$0.isOfNetwork }?.code
  }

  /// What is in the way of a processing task, the most lasting first.
  func obstacles(of blockers: [FetchRule.Blocker], _ request: BackgroundRequest, at now: Age) -> [FetchObstacle] {
    var found = blockers.map { obstacle($0, at: now) }
    if lacksPower(for: request) { found.append(FetchObstacle(.noPower)) }
    if isInUse(at: now) { found.append(FetchObstacle(.inUse)) }
    return found.sorted { $0.code.rank < $1.code.rank }
  }

  /// What the rule finds in the way of a processing task. The network counts only for a task that needs one.
  func processingBlockers(_ app: App, _ request: BackgroundRequest, at now: Age) -> [FetchRule.Blocker] {
    var found = blockers(of: app.availability, for: .processing, request, at: now)
    if let until = fetches.record(of: app.id).taskBackOff.notBefore, until > now {
      found.append(.backOff(until: until))
    }
    if let until = fetches.rest(of: request, of: app.id), until > now {
      found.append(.belowMinimumInterval(until: until))
    }
    return found + deviceBlockers(for: request)
  }

  private func deviceBlockers(for request: BackgroundRequest) -> [FetchRule.Blocker] {
    plan.rule.blockers(device.conditions).filter { request.needsNetwork || !$0.isOfNetwork }
  }

  private func lacksPower(for request: BackgroundRequest) -> Bool {
    request.needsPower && device.conditions.power != .external
  }

  /// Whether a person uses the device, so that what takes minutes has to wait.
  private func isInUse(at now: Age) -> Bool {
    plan.wasUsed(within: limits.idleMin, at: now) && !device.conditions.isOnCharger
  }

  private func recheck(_ blockers: [FetchRule.Blocker], at now: Age) -> Age? {
    let idle = isInUse(at: now) ? plan.usedAt.map { $0 + limits.idleMin } : nil
    return (blockers.compactMap(\.end) + [idle].compactMap { $0 }).max()
  }
}
