import Foundation

/// The state that an app is restored to at its next launch: a file in its container, where iOS keeps it.
///
/// A state whose restoration did not come to its end in an earlier launch is left out, so that no state can keep an app
/// from ever being launched again. An app that goes on with it after its launch may say when it is done. An app that is
/// asked to end right after its launch keeps its state. When a person removes the app from the switcher, the daemon
/// removes the folder.
@MainActor
final class SavedState {
  /// What is written: what the delegate and the window's view controller have encoded.
  private struct Archive: Codable {
    var application: Data
    /// By restoration identifier.
    var controllers: [String: Data]
  }

  private let folder: URL
  private var file: URL { folder.appendingPathComponent("data.data") }
  /// Lies there while a state is being restored.
  private var mark: URL { folder.appendingPathComponent("restoring") }
  /// What could not be handed to a view controller yet.
  private var restored: [String: Data]?
  /// What no view controller has taken in this life, which began in the background.
  private var untaken: [String: Data] = [:]
  private var coder: NSKeyedUnarchiver?
  /// The view controller that was handed its state.
  private var decoded: UIViewController?
  /// How often the app has yet to say that it is done with its state.
  private var extensions = 0
  /// Whether what came back has been shown.
  private var isShown = false

  /// Nil in a process that the daemon has not launched.
  nonisolated init?(environment: [String: String]) {
    guard let app = environment["NIGHTJAR_APP"], let home = environment["CFFIXED_USER_HOME"] else { return nil }
    folder = URL(fileURLWithPath: home + "/Library/Saved Application State/\(app).savedState", isDirectory: true)
  }

  /// Has the app write down where the person was, if it wants that. What nobody took is kept after mere background
  /// work, for which an app may leave its view controllers unmade.
  func save(_ application: UIApplication, at now: Date, isBackgroundWork: Bool = false) {
    if !isBackgroundWork { untaken = [:] }
    let coder = NSKeyedArchiver(requiringSecureCoding: false)
    coder.encode(Self.bundleVersion, forKey: UIApplication.stateRestorationBundleVersionKey)
    coder.encode(Self.systemVersion, forKey: UIApplication.stateRestorationSystemVersionKey)
    coder.encode(now, forKey: UIApplication.stateRestorationTimestampKey)
    guard let delegate = application.delegate,
      delegate.application(application, shouldSaveSecureApplicationState: coder)
    else { return }
    delegate.application(application, willEncodeRestorableStateWith: coder)
    var archive = Archive(application: coder.encodedData, controllers: untaken)
    if let controller = Self.controller(of: application), let name = controller.restorationIdentifier {
      let coder = NSKeyedArchiver(requiringSecureCoding: false)
      controller.encodeRestorableState(with: coder)
      archive.controllers[name] = coder.encodedData
    }
    attempt("save") { try write(archive) }
  }

  /// Between `willFinishLaunching` and `didFinishLaunching`: asks the app whether it wants its state back, and gives
  /// it.
  func restore(_ application: UIApplication) {
    guard let archive = read(), let delegate = application.delegate,
      let coder = try? NSKeyedUnarchiver(forReadingFrom: archive.application)
    else { return }
    coder.requiresSecureCoding = false
    guard delegate.application(application, shouldRestoreSecureApplicationState: coder) else { return }
    attempt("restore") { try Data().write(to: mark) }
    isShown = false
    (restored, self.coder) = (archive.controllers, coder)
    decode(application)
  }

  /// After `didFinishLaunching`: a view controller that was made there gets its state now.
  func finishRestoring(_ application: UIApplication) {
    guard let coder else { return }
    decode(application)
    application.delegate?.application(application, didDecodeRestorableStateWith: coder)
    decoded?.applicationFinishedRestoringState()
    untaken = restored ?? [:]
    (restored, self.coder, decoded) = (nil, nil, nil)
    DispatchQueue.main.async {  // What it shows is drawn by then.
      self.isShown = true
      self.unmarkIfDone()
    }
  }

  /// The app comes to the foreground: a view controller that was not made for background work gets its state now.
  func catchUp(_ application: UIApplication) {
    guard !untaken.isEmpty else { return }
    (restored, untaken) = (untaken, [:])
    decode(application)
    decoded?.applicationFinishedRestoringState()
    (restored, decoded) = (nil, nil)
  }

  /// The app goes on with its state for longer.
  func extend() { extensions += 1 }

  /// Undoes one `extend()`.
  func complete() {
    extensions = max(extensions - 1, 0)
    unmarkIfDone()
  }

  /// The app is about to end because it was asked to: what it has restored did not keep it from being launched, though
  /// it may not be shown yet. That is not said while it goes on with it, or amid `didFinishLaunching`.
  func end() {
    guard coder == nil else { return }
    isShown = true
    unmarkIfDone()
  }

  private func unmarkIfDone() {
    if isShown, extensions == 0 { unlink(mark.path) }
  }

  private func decode(_ application: UIApplication) {
    guard let controller = Self.controller(of: application), let name = controller.restorationIdentifier,
      let data = restored?.removeValue(forKey: name), let coder = try? NSKeyedUnarchiver(forReadingFrom: data)
    else { return }
    coder.requiresSecureCoding = false
    controller.decodeRestorableState(with: coder)
    decoded = controller
  }

  private func write(_ archive: Archive) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try PropertyListEncoder().encode(archive).write(to: file, options: .atomic)
  }

  private func read() -> Archive? {
    guard let data = try? Data(contentsOf: file) else { return nil }
    guard !FileManager.default.fileExists(atPath: mark.path) else {
      Console.warn("the app's state is left out: the last launch that restored it did not get through")
      attempt("forget") { try FileManager.default.removeItem(at: folder) }
      return nil
    }
    return try? PropertyListDecoder().decode(Archive.self, from: data)
  }

  private func attempt(_ deed: String, _ act: () throws -> Void) {
    do { try act() } catch { Console.warn("could not \(deed) the app's state: \(error)") }
  }

  private static func controller(of application: UIApplication) -> UIViewController? {
    (application.delegate?.window ?? Screen.shared.window)?.rootViewController
  }

  private static var bundleVersion: String {
    Bundle.own?.object(forInfoDictionaryKey: "CFBundleVersion") as? String ?? ""
  }

  private static var systemVersion: String {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
  }
}
