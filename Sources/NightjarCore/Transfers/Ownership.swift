import NightjarModel

/// Which app has which transfers, and how many bytes their requests take up in memory and in the database. An app that
/// has none leaves nothing.
struct Ownership: Sendable {
  private struct Volume: Sendable {
    var bodyBytes = 0
    var textBytes = 0

    mutating func add(_ request: TransferRequest) {
      bodyBytes += request.body.count
      textBytes += request.keptTextBytes
    }

    mutating func subtract(_ request: TransferRequest) {
      bodyBytes -= request.body.count
      textBytes -= request.keptTextBytes
    }
  }

  /// The transfers of each app.
  private(set) var ofApp: [AppID: OrderedIndex<TransferID, Void>] = [:]
  private var volumes: [AppID: Volume] = [:]

  var isEmpty: Bool { ofApp.isEmpty && volumes.isEmpty }
  func count(of app: AppID) -> Int { ofApp[app]?.count ?? 0 }
  func bodyBytes(of app: AppID) -> Int { volumes[app]?.bodyBytes ?? 0 }
  func textBytes(of app: AppID) -> Int { volumes[app]?.textBytes ?? 0 }

  mutating func insert(_ id: TransferID, _ request: TransferRequest) {
    ofApp[request.app, default: .init()][id] = ()
    volumes[request.app, default: Volume()].add(request)
  }

  mutating func remove(_ id: TransferID, _ request: TransferRequest) {
    ofApp[request.app]?[id] = nil
    volumes[request.app]?.subtract(request)
    if ofApp[request.app]?.isEmpty == true { (ofApp[request.app], volumes[request.app]) = (nil, nil) }
  }

  /// Takes in that a transfer has another request, of the same app.
  mutating func revise(_ old: TransferRequest, to new: TransferRequest) {
    volumes[old.app]?.subtract(old)
    volumes[new.app]?.add(new)
  }

  /// Throws if the bodies, or the text, of an app's requests are too much together with this one, which takes the place
  /// of `old`. Less than before is always welcome.
  func checkRoom(
    for request: TransferRequest, inPlaceOf old: TransferRequest?, _ limits: Limits
  ) throws(Refusal) {
    let growth = request.body.count - (old?.body.count ?? 0)
    guard growth <= 0 || bodyBytes(of: request.app) + growth <= limits.bodyBytesPerAppMax else {
      throw .limitReached(what: "bytes of the bodies of one app's requests", limit: limits.bodyBytesPerAppMax)
    }
    let textGrowth = request.keptTextBytes - (old?.keptTextBytes ?? 0)
    guard textGrowth <= 0 || textBytes(of: request.app) + textGrowth <= limits.textBytesPerAppMax else {
      throw .limitReached(what: "bytes of the text of one app's requests", limit: limits.textBytesPerAppMax)
    }
  }
}
