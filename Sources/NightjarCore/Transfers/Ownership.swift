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

  /// Throws if an app's requests have too much text together with this one, which takes the place of `old`. Less text
  /// than before is always welcome.
  func checkRoom(
    forTextOf request: TransferRequest, inPlaceOf old: TransferRequest?, atMost limit: Int
  ) throws(Refusal) {
    let growth = request.keptTextBytes - (old?.keptTextBytes ?? 0)
    guard growth <= 0 || textBytes(of: request.app) + growth <= limit else {
      throw .limitReached(what: "bytes of the text of one app's requests", limit: limit)
    }
  }
}
