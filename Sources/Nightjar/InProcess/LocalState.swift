import Foundation
import FoundationNetworking

/// What a ``LocalCarrier`` knows, guarded by its lock.
struct LocalState {
  /// How far the session's own end has come.
  enum Stage: Equatable {
    case valid
    case finishing(URLSession)
    case invalid
  }

  var stage = Stage.valid
  var nextTask = 1
  var tasks: [Int: LocalTask] = [:]
  /// Our numbers by FoundationNetworking's.
  var numbers: [Int: Int] = [:]

  /// A task begins; true if it cannot.
  mutating func begin(_ number: Int) -> Bool {
    tasks[number]?.takeUp()
    return tasks[number]?.trouble != nil
  }

  mutating func start(_ number: Int, as foreign: FoundationNetworking.URLSessionTask) {
    numbers[foreign.taskIdentifier] = number
    tasks[number]?.foreign = foreign
    tasks[number]?.hasHead = false
    prepare(number)
  }

  /// Makes a task ready for what comes.
  mutating func prepare(_ number: Int) {
    if tasks[number]?.record.start == nil { tasks[number]?.record.start = Date() }
    if tasks[number]?.task is URLSessionDownloadTask, tasks[number]?.sink == nil { tasks[number]?.sink = FileSink() }
  }

  /// Lets FoundationNetworking's task go, in whose place another comes; nothing that it still says is heard.
  mutating func letGo(_ number: Int) -> FoundationNetworking.URLSessionTask? {
    guard let theirs = tasks[number]?.foreign else { return nil }
    tasks[number]?.foreign = nil
    numbers[theirs.taskIdentifier] = nil
    return theirs
  }

  /// Ends a task as cancelled; hands back FoundationNetworking's, of which nothing is heard any more.
  mutating func end(_ number: Int) -> FoundationNetworking.URLSessionTask? {
    tasks[number]?.end()
    guard let theirs = tasks[number]?.foreign else { return nil }
    numbers[theirs.taskIdentifier] = nil
    return theirs
  }

  /// Gives up FoundationNetworking's task; nothing that it still says is heard.
  mutating func part(_ number: Int) -> FoundationNetworking.URLSessionTask? {
    guard let theirs = tasks[number]?.part() else { return nil }
    numbers[theirs.taskIdentifier] = nil
    return theirs
  }

  /// Forgets what came of a request; nothing that FoundationNetworking still says of it is heard.
  mutating func beginAnew(_ number: Int) -> FoundationNetworking.URLSessionTask? {
    guard let theirs = tasks[number]?.beginAnew() else { return nil }
    numbers[theirs.taskIdentifier] = nil
    return theirs
  }

  /// What became of something that FoundationNetworking said.
  enum Heard {
    /// There is something to tell about the task of this number.
    case noted(Int)
    /// There is nothing to tell; the task may have to be asked for otherwise.
    case nothing(Int)
    /// The disk does not take what a download has brought.
    case unwritten(URLSessionTask)
    /// Its task was given up.
    case tooLate
  }

  /// Takes in what FoundationNetworking says of a task. One step: what a request has brought that was given up meanwhile would
  /// otherwise be taken for the beginning of what the next one brings.
  mutating func hear(_ event: LocalEvent, of theirs: Int) -> Heard {
    numbers[theirs].map { take(event, of: $0) } ?? .tooLate
  }

  /// Takes in what has come for a task.
  mutating func take(_ event: LocalEvent, of number: Int) -> Heard {
    guard let event = tasks[number]?.sift(event) else { return .nothing(number) }
    guard case .received(let data) = event, let sink = tasks[number]?.sink else {
      tasks[number]?.note(event)
      return .noted(number)
    }
    let isWritten = sink.write(data)
    tasks[number]?.note(.progressed)
    guard !isWritten, let task = tasks[number]?.task else { return .noted(number) }
    return .unwritten(task)
  }

  mutating func nextTelling(of number: Int) -> (telling: LocalTelling, event: LocalEvent, turn: Int)? {
    guard let event = tasks[number]?.next(), let record = tasks[number] else { return nil }
    let telling = LocalTelling(task: record.task, hearer: record.hearer, sink: record.sink, foreign: record.foreign)
    return (telling, event, record.turn)
  }

  /// The end of a task has been told.
  mutating func forget(_ number: Int) {
    if let theirs = tasks[number]?.foreign { numbers[theirs.taskIdentifier] = nil }
    tasks[number] = nil
  }
}
