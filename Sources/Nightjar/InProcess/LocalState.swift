import Foundation
import FoundationNetworking

/// The state of a ``LocalCarrier``, guarded by its lock.
struct LocalState {
  /// The stage of the session's life.
  enum Stage: Equatable {
    case valid
    case finishing(URLSession)
    case invalid
  }

  var stage = Stage.valid
  var nextTask = 1
  var tasks: [Int: LocalTask] = [:]
  /// Our task numbers by FoundationNetworking's.
  var numbers: [Int: Int] = [:]

  /// Begins a task; true if it cannot begin.
  mutating func begin(_ number: Int) -> Bool {
    if tasks[number]?.record.start == nil { tasks[number]?.record.start = Date() }
    tasks[number]?.checkFile()
    return tasks[number]?.trouble != nil
  }

  mutating func start(_ number: Int, as foreign: FoundationNetworking.URLSessionTask) {
    numbers[foreign.taskIdentifier] = number
    tasks[number]?.foreign = foreign
    tasks[number]?.hasHead = false
  }

  /// Drops FoundationNetworking's task, which another one replaces, and returns it; its further events are ignored.
  mutating func letGo(_ number: Int) -> FoundationNetworking.URLSessionTask? {
    guard let theirs = tasks[number]?.foreign else { return nil }
    tasks[number]?.foreign = nil
    numbers[theirs.taskIdentifier] = nil
    return theirs
  }

  /// Ends a task as cancelled, and returns FoundationNetworking's, whose further events are ignored.
  mutating func end(_ number: Int) -> FoundationNetworking.URLSessionTask? {
    tasks[number]?.end()
    guard let theirs = tasks[number]?.foreign else { return nil }
    numbers[theirs.taskIdentifier] = nil
    return theirs
  }

  /// Drops FoundationNetworking's task for a suspension, and returns it; its further events are ignored.
  mutating func part(_ number: Int) -> FoundationNetworking.URLSessionTask? {
    guard let theirs = tasks[number]?.part() else { return nil }
    numbers[theirs.taskIdentifier] = nil
    return theirs
  }

  /// Forgets what a request has brought, and returns FoundationNetworking's task, whose further events are ignored.
  mutating func beginAnew(_ number: Int) -> FoundationNetworking.URLSessionTask? {
    guard let theirs = tasks[number]?.beginAnew() else { return nil }
    numbers[theirs.taskIdentifier] = nil
    return theirs
  }

  /// The result of an event of FoundationNetworking.
  enum Heard {
    /// There is an event to deliver for the task with this number.
    case noted(Int)
    /// There is nothing to deliver; the task may have to end, or ask for the whole.
    case nothing(Int)
    /// Bytes of a download are to be written to its file.
    case arrived(FileSink)
    /// The event is of a task that was dropped.
    case tooLate
  }

  /// Handles an event of FoundationNetworking in one step. Otherwise bytes of a request that is dropped meanwhile could
  /// be taken for those of the next.
  mutating func hear(_ event: LocalEvent, of theirs: Int) -> Heard {
    numbers[theirs].map { take(event, of: $0) } ?? .tooLate
  }

  /// Handles an event of a task.
  mutating func take(_ event: LocalEvent, of number: Int) -> Heard {
    guard let event = tasks[number]?.sift(event) else { return .nothing(number) }
    guard case .received(let data) = event, let sink = tasks[number]?.sink else {
      tasks[number]?.note(event)
      return .noted(number)
    }
    sink.append(data)
    return .arrived(sink)
  }

  /// Notes that the file of a download has caught up, unless FoundationNetworking's task was dropped meanwhile.
  mutating func caughtUp(_ theirs: Int) -> URLSessionTask? {
    guard let number = numbers[theirs] else { return nil }
    tasks[number]?.note(.progressed)
    return tasks[number]?.task
  }

  mutating func nextTelling(of number: Int) -> (telling: LocalTelling, event: LocalEvent, turn: Int)? {
    guard let event = tasks[number]?.next(), let record = tasks[number] else { return nil }
    let telling = LocalTelling(task: record.task, hearer: record.hearer, sink: record.sink, foreign: record.foreign)
    return (telling, event, record.turn)
  }

  /// Forgets a task whose end has been delivered.
  mutating func forget(_ number: Int) {
    if let theirs = tasks[number]?.foreign { numbers[theirs.taskIdentifier] = nil }
    tasks[number] = nil
  }
}
