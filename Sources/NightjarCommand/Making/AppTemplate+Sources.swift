/// The sources of the app that `nightjar new` makes. They are compiled and run in the tests, as Tests/Fixtures/TemplateApp.
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
        say(isBackground ? "Launched in the background, to be told." : "Launched.")
        downloads.open()
        let list = DownloadList()
        list.downloads = downloads
        downloads.changed = { list.setNeedsDisplay() }
        window = UIWindow()
        window?.rootViewController = list
        window?.makeKeyAndVisible()
        let addresses = CommandLine.arguments.dropFirst()
        for address in addresses { downloads.begin(address) }
        if addresses.isEmpty, !isBackground {
          say("Nothing to download; give me something: nightjar run -- https://example.com/index.html")
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
    }

    /// Writes a line to the app's log, which `nightjar run` and `nightjar log` show.
    func say(_ words: String) {
      print(words)
      fflush(nil)  // The process may be ended at any moment.
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

      /// What was downloaded, by name.
      var names: [String] {
        let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
        return ((try? FileManager.default.contentsOfDirectory(atPath: documents.path)) ?? []).sorted()
      }

      /// Begins to download into the Documents folder.
      func begin(_ address: String) {
        guard let url = URL(string: address), url.scheme == "http" || url.scheme == "https" else {
          return say("'\(address)' is no http: or https: URL.")
        }
        let task = session.downloadTask(with: url)
        task.taskDescription = url.lastPathComponent.isEmpty || url.path == "/" ? "index.html" : url.lastPathComponent
        task.resume()
        say("Downloading \(url). You may end me meanwhile: I am told.")
      }
    }

    extension Downloads: URLSessionDownloadDelegate {
      nonisolated func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
      ) {
        guard let status = (downloadTask.response as? HTTPURLResponse)?.statusCode, status == 200 else { return }
        let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
        let target = documents.appendingPathComponent(downloadTask.taskDescription ?? "download")
        do {
          try? FileManager.default.removeItem(at: target)  // From an earlier time, or a life that ended right here.
          try FileManager.default.moveItem(at: location, to: target)  // Now: the file goes when this returns.
          say("Downloaded \(target.path).")
        } catch {
          say("Could not keep \(target.lastPathComponent): \(error.localizedDescription)")
        }
      }

      nonisolated func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        MainActor.assumeIsolated { changed() }  // The session's queue is the main one.
        let name = task.taskDescription ?? "A download"
        if let error { return say("\(name) failed: \(error.localizedDescription)") }
        guard let status = (task.response as? HTTPURLResponse)?.statusCode, status != 200 else { return }
        say("\(name) was answered with status \(status).")
      }

      nonisolated func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        MainActor.assumeIsolated {  // The session's queue is the main one.
          whenTold?()
          whenTold = nil
        }
      }
    }

    """#
}
