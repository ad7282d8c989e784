/// The sources of the app that `nightjar new` makes. They are compiled and run in the tests, as
/// Tests/Fixtures/TemplateApp.
extension AppTemplate {
  static let appDelegate = #"""
    import Foundation
    import Nightjar

    /// Where the app's life begins: Nightjar tells it what happens to it, by the names that iOS has for it.
    @main
    final class AppDelegate: UIResponder, UIApplicationDelegate {
      private let downloads = Downloads()
      var window: UIWindow?

      func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
      ) -> Bool {
        let isBackground = application.applicationState == .background
        print(isBackground ? "Launched in the background, to be told." : "Launched.")
        downloads.open()
        application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
        let list = DownloadList()
        list.downloads = downloads
        downloads.changed = { list.setNeedsDisplay() }
        window = UIWindow()
        window?.rootViewController = list
        window?.makeKeyAndVisible()
        let addresses = CommandLine.arguments.dropFirst()
        for address in addresses { downloads.begin(address) }
        if addresses.isEmpty, !isBackground {
          print("Nothing to download; give me something: nightjar run -- https://example.com/index.html")
        }
        return true
      }

      func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
      ) {
        downloads.whenTold = completionHandler
        downloads.open()
      }

      func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
      ) {
        Task { completionHandler(await downloads.refresh()) }
      }
    }

    """#

  static let downloadList = #"""
    import Foundation
    import Nightjar

    /// What the app shows on the home screen (`nightjar home`), drawn from its state whenever that has changed.
    final class DownloadList: HTMLViewController {
      var downloads: Downloads?

      override func html() -> HTML {
        """
        <h1>Downloads</h1>
        <form data-action='download'><input name='address' type='url' placeholder='https://'><button>Download</button></form>
        <ul>\((downloads?.names ?? []).map { "<li>\($0)</li>" as HTML })</ul>
        """
      }

      /// A person has sent the form off.
      override func perform(_ action: String, fields: [String: String]) {
        if action == "download", let address = fields["address"] { downloads?.begin(address) }
      }
    }

    """#

  static let downloads = #"""
    import Foundation
    import Nightjar

    /// The app's downloads. They go on while the app does not run, whatever ended it, and are told in its next life.
    @MainActor
    final class Downloads: NSObject {
      /// What ends the app's right to run in the background, once everything has been told.
      var whenTold: (() -> Void)?
      /// Hears that there is something else to show.
      var changed: () -> Void = {}

      private lazy var session = URLSession(
        configuration: .background(withIdentifier: "downloads"), delegate: self, delegateQueue: .main)

      /// Opens the session. Every life of the app does it: that is what makes waiting news come.
      func open() { _ = session }

      /// Where the files are from.
      private(set) var origins = Origins()

      /// What was downloaded, by name.
      var names: [String] {
        let documents = URL.documentsDirectory
        return ((try? FileManager.default.contentsOfDirectory(atPath: documents.path)) ?? []).sorted()
      }

      /// What is on its way, by name.
      var underWay: Set<String> {
        get async { Set(await session.allTasks.compactMap(\.taskDescription)) }
      }

      /// Begins to download into the Documents folder.
      func begin(_ address: String) {
        guard let url = URL(string: address), url.scheme == "http" || url.scheme == "https" else {
          return print("'\(address)' is no http: or https: URL.")
        }
        let task = session.downloadTask(with: url)
        task.taskDescription = url.fileName
        origins.note(url, of: url.fileName)
        task.resume()
        print("Downloading \(url). You may end me meanwhile: I am told.")
      }
    }

    extension Downloads: URLSessionDownloadDelegate {
      nonisolated func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
      ) {
        guard let status = (downloadTask.response as? HTTPURLResponse)?.statusCode, status == 200 else { return }
        let documents = URL.documentsDirectory
        let target = documents.appendingPathComponent(downloadTask.taskDescription ?? "download")
        do {
          try? FileManager.default.removeItem(at: target)  // From an earlier time, or a life that ended right here.
          try FileManager.default.moveItem(at: location, to: target)  // Now: the file goes when this returns.
          let version = (downloadTask.response as? HTTPURLResponse)?.version
          MainActor.assumeIsolated { origins.note(version: version, of: target.lastPathComponent) }  // The main queue.
          print("Downloaded \(target.path).")
        } catch {
          print("Could not keep \(target.lastPathComponent): \(error.localizedDescription)")
        }
      }

      nonisolated func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        MainActor.assumeIsolated { changed() }  // The session's queue is the main one.
        let name = task.taskDescription ?? "A download"
        if let error { return print("\(name) failed: \(error.localizedDescription)") }
        guard let status = (task.response as? HTTPURLResponse)?.statusCode, status != 200 else { return }
        print("\(name) was answered with status \(status).")
      }

      nonisolated func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        MainActor.assumeIsolated {  // The session's queue is the main one.
          whenTold?()
          whenTold = nil
        }
      }
    }

    extension URL {
      /// One name within one folder, whatever the URL says: `..` and an escaped slash lead nowhere else.
      fileprivate var fileName: String {
        guard !["", "/", ".", ".."].contains(lastPathComponent) else { return "index.html" }
        let safe = lastPathComponent.unicodeScalars.map { $0 == "/" || $0 == "\0" ? "_" : $0 }
        return String(String.UnicodeScalarView(safe))
      }
    }

    """#

  static let origins = #"""
    import Foundation
    import Nightjar

    /// Where each file is from, and which version of it came; kept in a file, since the app may be ended at any moment.
    struct Origins {
      struct Origin: Codable {
        var address: URL
        var version: String?
      }

      private let file = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("Library/origins.json")
      private var origins: [String: Origin]

      init() {
        let saved = (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode([String: Origin].self, from: $0) }
        origins = saved ?? [:]
      }

      subscript(name: String) -> Origin? { origins[name] }

      mutating func note(_ address: URL, of name: String) {
        origins[name, default: Origin(address: address)].address = address
        save()
      }

      mutating func note(version: String?, of name: String) {
        origins[name]?.version = version
        save()
      }

      private func save() {
        do {
          try JSONEncoder().encode(origins).write(to: file, options: .atomic)
        } catch {
          print("Could not write \(file.path): \(error.localizedDescription)")
        }
      }
    }

    extension HTTPURLResponse {
      /// What the server calls this version.
      var version: String? { value(forHTTPHeaderField: "ETag") ?? value(forHTTPHeaderField: "Last-Modified") }
    }

    """#

  static let refresh = #"""
    import Foundation
    import Nightjar

    /// Background fetch: shortly before a person is likely to open the app it looks for newer files.
    extension Downloads {
      /// Asks every server which version it has now, and has those downloaded that are new: in the background, so that
      /// the thirty seconds of a fetch suffice for files of any size.
      func refresh() async -> UIBackgroundFetchResult {
        var (changed, failed) = ([String](), false)
        let coming = await underWay
        for name in names where !coming.contains(name) {
          guard let origin = origins[name] else { continue }
          do {
            if try await hasChanged(origin) { changed.append(name) }
          } catch {
            print("Could not ask for \(name): \(error.localizedDescription)")
            failed = true
          }
        }
        if !changed.isEmpty { tell(changed) }
        for name in changed { if let origin = origins[name] { begin(origin.address.absoluteString) } }
        return changed.isEmpty ? failed ? .failed : .noData : .newData
      }

      private func hasChanged(_ origin: Origins.Origin) async throws -> Bool {
        var request = URLRequest(url: origin.address)
        request.httpMethod = "HEAD"
        request.timeoutInterval = 10  // A fetch has thirty seconds.
        let (_, response) = try await URLSession.shared.data(for: request)
        guard let answer = response as? HTTPURLResponse, answer.statusCode == 200 else { return false }
        return answer.version != nil && answer.version != origin.version
      }

      /// Shown by the desktop and on the home screen, unless the app is in the foreground.
      private func tell(_ changed: [String]) {
        let notification = UILocalNotification()
        notification.alertBody = "There is something newer: \(changed.joined(separator: ", "))"
        UIApplication.shared.presentLocalNotificationNow(notification)
      }
    }

    """#
}
