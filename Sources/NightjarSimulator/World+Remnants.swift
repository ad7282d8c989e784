import NightjarCore
import NightjarModel

/// Downloads that are cancelled so that others go on with their bytes.
extension World {
  /// Prepares an attempt's file: a remnant that it resumes from is renamed, and otherwise the file is emptied.
  mutating func takeOver(_ order: TransferOrder) {
    guard order.request.direction == .download else { return }
    if let heritage = order.resume?.heritage, let bytes = engine.parts.removeValue(forKey: heritage) {
      engine.parts[order.id] = bytes
      if engine.begunAgain.contains(heritage) { engine.begunAgain.insert(order.id) }
    }
    guard let point = order.resume, point.validator != nil else { return engine.parts[order.id] = nil }
    let bytes = engine.parts[order.id] ?? 0
    if bytes < point.offset, !engine.begunAgain.contains(order.id) {
      fail("transfer \(order.id) goes on at \(point.offset) of \(bytes) bytes")
    }
    engine.parts[order.id] = min(bytes, point.offset)
  }

  /// The safe bytes of a download that has taken over a remnant.
  func pointTakenOver(_ order: TransferOrder) -> ResumePoint {
    let none = ResumePoint(offset: 0, validator: nil, length: nil)
    guard var point = order.resume, engine.parts[order.id] == point.offset else { return none }
    point.heritage = nil
    return point
  }

  /// Checks that no remnant is discarded that is kept for an app or was taken over.
  mutating func checkDiscard(_ id: TransferID) {
    if let remnant = disk.remnants.values.first(where: { $0.transfer == id && $0.source == nil }) {
      fail("the bytes of remnant \(remnant.key) are discarded")
    }
    let heir = disk.transfers.values.filter { $0.state.resume?.heritage == id && !$0.state.isEnded }.map(\.id).min()
    if let heir, engine.parts[id] != nil { fail("the bytes that transfer \(heir) has inherited are discarded") }
  }

  /// Checks that remnants are in the staging area and within their bound.
  mutating func checkRemnants(_ changes: Changes) {
    guard !changes.remnants.isEmpty else { return }
    for (key, remnant) in disk.remnants.sorted(by: { $0.key < $1.key }) where remnant.source == nil {
      let bytes = engine.parts[remnant.transfer] ?? 0
      if bytes < remnant.point.offset, !engine.begunAgain.contains(remnant.transfer) {
        fail("remnant \(key) is of \(remnant.point.offset) bytes, there are \(bytes)")
      }
    }
    for (app, remnants) in Dictionary(grouping: disk.remnants.values, by: \.app).sorted(by: { $0.key < $1.key }) {
      let bytes = remnants.reduce(Int64(0)) { $0 + $1.stagedBytes }
      if remnants.count > limits.remnantsPerAppMax { fail("\(app) has left \(remnants.count) remnants") }
      if bytes >= limits.stagedBytesPerAppMax { fail("\(app) has left \(bytes) bytes") }
    }
  }

  /// Has the app keep a remnant; now and then it keeps the same twice.
  mutating func keep(_ remnant: Remnant?, by app: AppID) {
    guard let remnant else { return }
    if remnant.app != app { fail("\(app) is given what \(remnant.app) has left") }
    apps[app]?.kept.append(remnant)
    if (apps[app]?.kept.count ?? 0) > 8 { apps[app]?.kept.removeFirst() }
  }

  /// A remnant for a new task: the app's own, another app's or, now and then, one used before.
  mutating func anyRemnant(for app: AppID, by request: inout TransferRequest) -> RequestKey? {
    guard request.session != nil, dice.falls(faults.people) else { return nil }
    let owner = dice.falls(100) ? dice.pick(apps.keys.sorted()) : app
    guard let kept = apps[owner]?.kept, !kept.isEmpty else { return nil }
    let place = dice.below(kept.count)
    if !dice.falls(200) { apps[owner]!.kept.remove(at: place) }
    guard !dice.falls(100) else { return kept[place].key }  // For a request that it does not fit.
    request.url = kept[place].url
    request.direction = kept[place].source.map { .upload(path: "/up", stamp: $0) } ?? .download
    return kept[place].key
  }

  /// Checks a refusal of a remnant, which is right only if that is another app's.
  mutating func refused(_ request: TransferRequest, _ key: RequestKey, _ index: Int) {
    let app = processes[index].app
    apps[app]!.outbox.removeAll { $0.request.key == request.key }
    guard let remnant = disk.remnants[key], remnant.app == app, remnant.url == request.url else { return }
    fail("\(app) may not go on with what it has left itself")
  }
}
