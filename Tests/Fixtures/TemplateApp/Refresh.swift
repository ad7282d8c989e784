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
