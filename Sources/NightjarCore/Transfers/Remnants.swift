import NightjarModel

/// What cancelled and failed transfers have left, until it is used or too old.
struct Remnants: Sendable {
  /// When a remnant was left, and by which transfer.
  private struct Birth: Comparable, Sendable {
    var at: Age
    var transfer: TransferID

    init(of remnant: Remnant) { (at, transfer) = (remnant.born, remnant.transfer) }

    static func < (a: Birth, b: Birth) -> Bool { (a.at, a.transfer) < (b.at, b.transfer) }
  }

  private var byKey: [RequestKey: Remnant] = [:]
  private var byFile: [TransferID: RequestKey] = [:]
  /// The keys of each app's remnants, in the order in which they were left.
  private var ofApp: [AppID: OrderedIndex<Birth, RequestKey>] = [:]
  private var bytes: [AppID: Int64] = [:]
  private var agenda = Agenda<RequestKey>()
  /// The calls that wait for an attempt to stop, and for what it leaves.
  var askers: [TransferID: [Ticket]] = [:]
  private let bounds: Fixed<Limits>
  private var limits: Limits { bounds.value }

  init(limits: Fixed<Limits>) { bounds = limits }

  subscript(key: RequestKey) -> Remnant? { byKey[key] }
  subscript(of file: TransferID) -> Remnant? { byFile[file].flatMap { byKey[$0] } }
  var nextDue: Age? { mutating get { agenda.next } }

  mutating func keep(_ remnant: Remnant) {
    byKey[remnant.key] = remnant
    if remnant.source == nil { byFile[remnant.transfer] = remnant.key }
    ofApp[remnant.app, default: .init()][Birth(of: remnant)] = remnant.key
    bytes[remnant.app, default: 0] += remnant.stagedBytes
    agenda.set(remnant.key, due: remnant.born + limits.remnantsKeptFor)
  }

  mutating func remove(_ key: RequestKey) {
    guard let remnant = byKey.removeValue(forKey: key) else { return }
    byFile[remnant.transfer] = nil
    ofApp[remnant.app]?[Birth(of: remnant)] = nil
    bytes[remnant.app, default: 0] -= remnant.stagedBytes
    if ofApp[remnant.app]?.isEmpty == true { (ofApp[remnant.app], bytes[remnant.app]) = (nil, nil) }
    agenda.set(key, due: nil)
  }

  mutating func popDue(at now: Age) -> RequestKey? { agenda.popDue(at: now) }

  /// The remnants of an app, the oldest first.
  func keys(of app: AppID) -> [RequestKey] { ofApp[app]?.values ?? [] }

  /// Bytes in the staging area that the remnants of an app hold.
  func bytes(of app: AppID) -> Int64 { bytes[app, default: 0] }

  /// The oldest remnant of an app.
  func oldest(of app: AppID) -> RequestKey? { ofApp[app]?.first?.value }

  /// The oldest remnant of an app that has too many.
  func surplus(of app: AppID) -> RequestKey? {
    guard let index = ofApp[app], index.count > limits.remnantsPerAppMax else { return nil }
    return index.first?.value
  }
}
