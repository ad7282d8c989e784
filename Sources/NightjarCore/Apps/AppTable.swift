import NightjarModel

/// The apps by name, and which of them may have changed since that was last asked.
///
/// An app lies in a place of its own, so that a part of it is looked at there and the whole is not copied for that.
struct AppTable: Sendable {
  /// Nil where an app is taken out, or gone.
  private var apps: [App?] = []
  /// Where apps lie. One that is taken out keeps its place.
  private var places: [AppID: Int] = [:]
  private var freePlaces: [Int] = []
  var changes = ChangedApps()

  private(set) var count = 0
  /// Their names, in no order that means anything.
  var keys: [AppID] { apps.indices.compactMap { apps[$0]?.id } }

  func contains(_ id: AppID) -> Bool { places[id].map { apps[$0] != nil } ?? false }

  subscript(id: AppID) -> App? {
    get {
      guard let place = places[id] else { return nil }
      return apps[place]
    }
    _modify {
      changes.note(id)
      let known = places[id]
      let place = known ?? newPlace(of: id)
      let wasThere = apps[place] != nil
      defer {
        let isThere = apps[place] != nil
        count += (isThere ? 1 : 0) - (wasThere ? 1 : 0)
        if !isThere, wasThere || known == nil { free(place, of: id) }
      }
      yield &apps[place]
    }
  }

  /// Takes an app out, so that no change to it copies it; whoever does puts it back.
  mutating func removeValue(forKey id: AppID) -> App? {
    changes.note(id)
    guard let place = places[id], apps[place] != nil else { return nil }
    count -= 1
    return apps[place].take()
  }

  private mutating func newPlace(of id: AppID) -> Int {
    let place = freePlaces.popLast() ?? apps.count
    if place == apps.count { apps.append(nil) }
    places[id] = place
    return place
  }

  private mutating func free(_ place: Int, of id: AppID) {
    places[id] = nil
    freePlaces.append(place)
  }
}
