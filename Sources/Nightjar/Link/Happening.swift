import NightjarWire

/// An event that a session's delegate has to be told.
enum Happening: Sendable {
  /// Bytes moved; the newest counts are in the record.
  case progressed(task: Int)
  /// A server has sent an interim response.
  case informed(AppInterface.Informed)
  /// A task has taken up what an earlier one has left: its progress shows that.
  case resumed(task: Int)
  /// A task ended with the daemon.
  case ended(AppInterface.Ended)
  /// A task ended that the daemon never had, or no longer has. The remnant is the one that it was made with, if it is
  /// unused.
  case endedHere(task: Int, failure: SessionFailure, remnant: AppInterface.Remnant?)
  /// A task asks a question.
  case asked(AppInterface.Asked)
  /// All waiting events were delivered.
  case eventsFinished
  /// The session has ended.
  case invalidated(SessionFailure?)
}

extension Happening {
  /// The task that it is about.
  var task: Int? {
    switch self {
    case .progressed(let task), .resumed(let task): task
    case .informed(let words): Int(words.task)
    case .ended(let event): Int(event.task)
    case .asked(let question): Int(question.task)
    case .endedHere(let task, _, _): task
    case .eventsFinished, .invalidated: nil
    }
  }

  /// Whether it is the last about its task.
  var isEnd: Bool {
    switch self {
    case .ended, .endedHere: true
    case .progressed, .informed, .resumed, .asked, .eventsFinished, .invalidated: false
    }
  }
}
