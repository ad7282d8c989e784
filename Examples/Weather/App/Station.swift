import Foundation
import Nightjar
import WeatherModel

/// Fetches the weather, and remembers it.
@MainActor
final class Station {
  private(set) var logbook: Logbook
  private let file: URL
  private let session: URLSession
  private let inquiries = Inquiries<WeatherSource, Logbook.Outcome>()
  /// Called when there is something else to be seen.
  var changed: () -> Void = {}

  init(file: URL) {
    (self.file, logbook) = (file, Logbook.open(file))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForResource = WeatherSource.timeout
    session = URLSession(configuration: configuration)
  }

  /// Whether the service is being asked.
  var isFetching: Bool { inquiries.areOpen }

  /// Asks the service that is set, once: who comes while it is asked waits for the same answer, and who has set another
  /// one meanwhile for that one's.
  func refresh(inBackground: Bool) async -> Logbook.Outcome {
    // An app that leaves the screen meanwhile is not frozen over it; a fetch in the background has its own time.
    let task = inBackground ? .invalid : UIApplication.shared.beginBackgroundTask(withName: "fetch")
    let source = Settings.source
    let answer = inquiries.answer(to: source) { await self.ask(source, inBackground: inBackground) }
    changed()
    defer {
      changed()
      UIApplication.shared.endBackgroundTask(task)
    }
    return await answer.value
  }

  private func ask(_ source: WeatherSource, inBackground: Bool) async -> Logbook.Outcome {
    let result: Result<Reading, WeatherTrouble>
    do throws(WeatherTrouble) { result = .success(try await source.read(with: session)) } catch {
      result = .failure(error)
    }
    let outcome = logbook.take(result, of: source.city, at: Date(), inBackground: inBackground)
    print("fetched \(source.city): \(outcome.rawValue)\(logbook.failure.map { ". \($0.trouble.words)" } ?? "")")
    do { try logbook.save(to: file) } catch { print("the weather cannot be kept: \(error.localizedDescription)") }
    return outcome
  }
}
