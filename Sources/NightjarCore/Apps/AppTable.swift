import NightjarModel

/// The apps by name, and the names of those whose ``Availability``, by which the rule of fetches goes, may have changed
/// since that was last asked.
///
/// Each lies in a box of its own: it is changed in place there, or taken out and put back with its box, so that neither
/// copies it.
struct AppTable: Sendable {
  /// Nil where an app is taken out, or gone.
  private var boxes: [Shared<App>?] = []
  /// Whether each may be woken for an errand; nil where no app is.
  private var availabilities: [Availability?] = []
  /// The indices of apps in both arrays. An app that is taken out keeps its place.
  private var places: [AppID: Int] = [:]
  private var freePlaces: [Int] = []
  var changes = ChangedApps()

  private(set) var count = 0
  /// Their names, in no order that means anything.
  var keys: [AppID] { boxes.indices.compactMap { boxes[$0]?.value.id } }

  /// Those that run, in no order either.
  var running: [AppID] { boxes.indices.compactMap { boxes[$0]?.value.runningID } }

  /// Whether any runs.
  var isAnyRunning: Bool { boxes.indices.contains { boxes[$0]?.value.runningID != nil } }

  func contains(_ id: AppID) -> Bool { places[id].map { boxes[$0] != nil } ?? false }

  /// An app, or none. To change one that is there, `subscript(there:)` is faster.
  subscript(id: AppID) -> App? {
    get { places[id].flatMap { boxes[$0]?.value } }
    _modify {
      changes.note(id)
      let known = places[id]
      let place = known ?? newPlace(of: id)
      var app = boxes[place].take()?.opened()
      let wasThere = app != nil
      defer {
        let isThere = app != nil
        count += (isThere ? 1 : 0) - (wasThere ? 1 : 0)
        availabilities[place] = app?.availability
        boxes[place] = app.map { Shared($0) }
        if !isThere, wasThere || known == nil { free(place, of: id) }
      }
      yield &app
    }
  }

  /// An app that is known to be there, where it lies.
  subscript(there id: AppID) -> App {
    get { boxes[places[id]!]!.value }
    _modify {
      let place = places[id]!
      defer { note(id, place, boxes[place]!.value.availability) }
      yield &boxes[place]!.value
    }
  }

  /// Takes an app out with its box; the caller puts it back.
  mutating func take(_ id: AppID) -> Taken? {
    guard let place = places[id], let box = boxes[place].take() else { return nil }
    count -= 1
    return Taken(place: place, box: box)
  }

  /// Puts an app back that was taken out.
  mutating func put(_ taken: consuming Taken) {
    count += 1
    note(taken.app.id, taken.place, taken.app.availability)
    boxes[taken.place] = taken.box
  }

  /// An app's availability for an errand; nil if the app is not there.
  func availability(of id: AppID) -> Availability? { places[id].flatMap { availabilities[$0] } }

  private mutating func note(_ id: AppID, _ place: Int, _ availability: Availability) {
    guard availability != availabilities[place] else { return }
    availabilities[place] = availability
    changes.note(id)
  }

  /// An app that is taken out of the table.
  struct Taken {
    fileprivate let place: Int
    fileprivate var box: Shared<App>

    var app: App {
      get { box.value }
      _modify { yield &box.value }
    }
  }

  private mutating func newPlace(of id: AppID) -> Int {
    let place = freePlaces.popLast() ?? boxes.count
    if place == boxes.count {
      boxes.append(nil)
      availabilities.append(nil)
    }
    places[id] = place
    return place
  }

  private mutating func free(_ place: Int, of id: AppID) {
    places[id] = nil
    freePlaces.append(place)
  }
}
