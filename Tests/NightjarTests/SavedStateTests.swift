import Foundation
import Testing

@testable import Nightjar

@MainActor @Suite struct `Saved state` {
  let noon = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func `comes back in the next life, to the delegate and to the view controller`() throws {
    let place = try Container()
    defer { place.remove() }
    let (first, second) = (Reader(page: 7), Reader(page: 1))

    place.state.save(first.application, at: noon)
    place.state.restore(second.application)
    place.state.finishRestoring(second.application)

    #expect(second.heard == ["should restore 7", "decode 7", "did decode 7", "finished"])
  }

  @Test func `reaches a view controller that is made in didFinishLaunching`() throws {
    let place = try Container()
    defer { place.remove() }
    let (first, reader) = (Reader(page: 7), Reader(page: 1))
    place.state.save(first.application, at: noon)
    reader.window = nil

    place.state.restore(reader.application)
    reader.makeWindow()
    place.state.finishRestoring(reader.application)

    #expect(reader.heard == ["should restore 7", "decode 7", "did decode 7", "finished"])
  }

  @Test func `is left out after a restoration that did not get through, and kept anew afterwards`() throws {
    let place = try Container()
    defer { place.remove() }
    let (zeroth, first, second, third) = (Reader(page: 7), Reader(page: 1), Reader(page: 2), Reader(page: 3))
    place.state.save(zeroth.application, at: noon)
    place.state.restore(first.application)  // And the app crashes.

    place.state.restore(second.application)
    place.state.save(second.application, at: noon)
    place.state.restore(third.application)

    #expect(first.heard.first == "should restore 7" && second.heard == [])
    #expect(third.heard.first == "should restore 2")
  }

  @Test func `has come through a restoration when an app that went on with it has said so often enough`() async throws {
    let place = try Container()
    defer { place.remove() }
    let (first, second, third) = (Reader(page: 7), Reader(page: 1), Reader(page: 2))
    place.state.save(first.application, at: noon)
    place.state.restore(second.application)
    for _ in 1...2 { place.state.extend() }
    place.state.finishRestoring(second.application)
    await withCheckedContinuation { shown in DispatchQueue.main.async { shown.resume() } }

    place.state.complete()
    let isMarked = place.isMarked
    place.state.complete()
    place.state.restore(third.application)

    #expect(isMarked && third.heard.first == "should restore 7")
  }

  @Test func `comes back again after an end that was asked for before the first view`() throws {
    let place = try Container()
    defer { place.remove() }
    let (first, second, third) = (Reader(page: 7), Reader(page: 1), Reader(page: 2))
    place.state.save(first.application, at: noon)
    second.application.savedState = place.state
    place.state.restore(second.application)
    place.state.finishRestoring(second.application)  // What shows that it came through waits for the main queue.

    second.application.willTerminate()
    place.state.restore(third.application)

    #expect(third.heard.first == "should restore 7")
  }

  @Test func `is left out after an end that was asked for amid didFinishLaunching`() throws {
    let place = try Container()
    defer { place.remove() }
    let (first, second, third) = (Reader(page: 7), Reader(page: 1), Reader(page: 2))
    place.state.save(first.application, at: noon)
    second.application.savedState = place.state
    place.state.restore(second.application)

    second.application.willTerminate()  // It serves the run loop there, and may do so for ever.
    place.state.restore(third.application)

    #expect(third.heard == [])
  }

  @Test func `is that of an app which was asked to end while it was in use`() throws {
    let place = try Container()
    defer { place.remove() }
    let (first, second) = (Reader(page: 7), Reader(page: 1))
    first.application.savedState = place.state
    first.application.launchIntoForeground()

    first.application.willTerminate()
    place.state.restore(second.application)

    #expect(first.heard == ["resigns active", "enters background", "terminates"])
    #expect(second.heard.first == "should restore 7")
  }

  @Test(arguments: [false, true])
  func `is left out after the end of an app that went on with it`(isAsked: Bool) async throws {
    let place = try Container()
    defer { place.remove() }
    let (first, second, third) = (Reader(page: 7), Reader(page: 1), Reader(page: 2))
    place.state.save(first.application, at: noon)
    place.state.restore(second.application)
    place.state.extend()
    place.state.finishRestoring(second.application)
    await withCheckedContinuation { shown in DispatchQueue.main.async { shown.resume() } }

    if isAsked { place.state.end() }
    place.state.restore(third.application)

    #expect(third.heard == [])
  }

  @Test func `has come back for no view controller that had none`() throws {
    let place = try Container()
    defer { place.remove() }
    let (first, reader) = (Reader(page: 7), Reader(page: 1))
    place.state.save(first.application, at: noon)
    reader.window?.rootViewController?.restorationIdentifier = "another book"

    place.state.restore(reader.application)
    place.state.finishRestoring(reader.application)

    #expect(reader.heard == ["should restore 7", "did decode 7"])
  }

  @Test func `says when and on which system it was saved`() throws {
    let place = try Container()
    defer { place.remove() }
    let (first, second) = (Reader(page: 7), Reader(page: 1))
    let version = ProcessInfo.processInfo.operatingSystemVersion

    place.state.save(first.application, at: noon)
    place.state.restore(second.application)

    #expect(second.savedAt == noon)
    #expect(second.savedOn?.hasPrefix("\(version.majorVersion).\(version.minorVersion).") == true)
  }

  @Test func `outlives background work for which no view controller was made, but not a visit without it`() throws {
    let place = try Container()
    defer { place.remove() }
    let (first, worker, third, visitor) = (Reader(page: 7), Reader(page: 7), Reader(page: 1), Reader(page: 1))
    place.state.save(first.application, at: noon)
    worker.window = nil
    place.state.restore(worker.application)
    place.state.finishRestoring(worker.application)

    place.state.save(worker.application, at: noon, isBackgroundWork: true)
    unlink(place.mark.path)  // It came through.
    place.state.restore(third.application)
    unlink(place.mark.path)
    place.state.finishRestoring(worker.application)
    place.state.save(worker.application, at: noon)
    place.state.restore(visitor.application)

    #expect(third.heard == ["should restore 7", "decode 7", "finished"])
    #expect(visitor.heard == ["should restore 7"])
  }

  @Test func `reaches a view controller that is made when the app comes to the foreground`() throws {
    let place = try Container()
    defer { place.remove() }
    let (first, worker) = (Reader(page: 7), Reader(page: 1))
    place.state.save(first.application, at: noon)
    worker.window = nil
    place.state.restore(worker.application)
    place.state.finishRestoring(worker.application)
    place.state.save(worker.application, at: noon, isBackgroundWork: true)

    worker.makeWindow()
    place.state.catchUp(worker.application)
    place.state.catchUp(worker.application)

    #expect(worker.heard == ["should restore 7", "did decode 7", "decode 7", "finished"])
  }

  @Test func `is kept by nobody who does not ask for it`() throws {
    let place = try Container()
    defer { place.remove() }
    let (first, second) = (Reader(page: 7, saves: false), Reader(page: 1))

    place.state.save(first.application, at: noon)
    place.state.restore(second.application)

    #expect(second.heard == [])
  }
}

/// A container with its state.
@MainActor
private struct Container {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  let state: SavedState

  init() throws {
    state = try #require(SavedState(environment: ["NIGHTJAR_APP": "a.b", "CFFIXED_USER_HOME": folder.path]))
  }

  /// Whether a restoration is under way.
  var isMarked: Bool { FileManager.default.fileExists(atPath: mark.path) }

  var mark: URL { folder.appendingPathComponent("Library/Saved Application State/a.b.savedState/restoring") }

  func remove() { try? FileManager.default.removeItem(at: folder) }
}

/// An app that is on a page of a book.
private final class Reader: UIResponder, UIApplicationDelegate {
  let application = UIApplication()
  var window: UIWindow?
  var heard: [String] = []
  private(set) var savedAt: Date?
  private(set) var savedOn: String?
  private var page = 0
  private var saves = true

  convenience init(page: Int, saves: Bool = true) {
    self.init()
    (self.page, self.saves) = (page, saves)
    application.delegate = self
    makeWindow()
  }

  func makeWindow() {
    let book = Book()
    (book.page, book.restorationIdentifier) = (page, "book")
    book.hear = { [unowned self] in heard.append($0) }
    window = UIWindow()
    window?.rootViewController = book
  }

  func applicationWillResignActive(_ application: UIApplication) { heard.append("resigns active") }
  func applicationDidEnterBackground(_ application: UIApplication) { heard.append("enters background") }
  func applicationWillTerminate(_ application: UIApplication) { heard.append("terminates") }
  func application(_ application: UIApplication, shouldSaveApplicationState coder: NSCoder) -> Bool { saves }
  func application(_ application: UIApplication, willEncodeRestorableStateWith coder: NSCoder) {
    coder.encode(page, forKey: "page")
  }
  func application(_ application: UIApplication, shouldRestoreApplicationState coder: NSCoder) -> Bool {
    heard.append("should restore \(coder.decodeInteger(forKey: "page"))")
    savedAt = coder.decodeObject(forKey: UIApplication.stateRestorationTimestampKey) as? Date
    savedOn = coder.decodeObject(forKey: UIApplication.stateRestorationSystemVersionKey) as? String
    return true
  }
  func application(_ application: UIApplication, didDecodeRestorableStateWith coder: NSCoder) {
    heard.append("did decode \(coder.decodeInteger(forKey: "page"))")
  }
}

private final class Book: UIViewController {
  var page = 0
  var hear: (String) -> Void = { _ in }

  override func encodeRestorableState(with coder: NSCoder) { coder.encode(page, forKey: "page") }
  override func decodeRestorableState(with coder: NSCoder) { hear("decode \(coder.decodeInteger(forKey: "page"))") }
  override func applicationFinishedRestoringState() { hear("finished") }
}
