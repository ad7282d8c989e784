import Foundation
import Synchronization

/// When the weather changes: after every so many seconds, or with every question.
final class WeatherCalendar: Sendable {
  private let began: Date
  private let period: Int
  private let questions = Mutex(0)
  private let now: @Sendable () -> Date

  /// - Parameter period: Seconds between two changes; 0 for a change with every question.
  init(period: Int, now: @escaping @Sendable () -> Date) {
    (self.period, self.now, began) = (period, now, now())
  }

  /// How often the weather has changed by now, and when it did so last. The first weather is that of the beginning.
  func look() -> (changes: Int, since: Date) {
    let changes = period == 0 ? count() : max(0, Int(now().timeIntervalSince(began))) / period
    return (changes, began.addingTimeInterval(Double(changes * max(period, 1))))
  }

  private func count() -> Int {
    questions.withLock { questions in
      defer { questions += 1 }
      return questions
    }
  }
}
