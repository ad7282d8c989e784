import NightjarCore
import NightjarModel

/// A phase as columns: a word and its values.
struct PhaseColumns: Hashable, Sendable {
  /// The words of the column `phase`. An ended transfer has its outcome's word.
  enum Word: String, Hashable, Sendable, CaseIterable {
    case queued, running, stopping, waiting, delivering, undelivered, succeeded, failed
  }

  var word: Word
  var age: Age?
  var failure: TransferFailure?
  var response: Response?
  var file: StagedFile?

  init(word: Word, age: Age? = nil, failure: TransferFailure? = nil, response: Response? = nil, file: StagedFile? = nil)
  {
    (self.word, self.age, self.failure, self.response, self.file) = (word, age, failure, response, file)
  }

  init(_ phase: TransferState.Phase) {
    switch phase {
    case .queued, .asking: self.init(word: .queued)  // After a crash it is tried and asked again.
    case .running: self.init(word: .running)
    case .stopping: self.init(word: .stopping)
    case .waiting(let age, let failure): self.init(word: .waiting, age: age, failure: failure)
    case .delivering(let response, let file): self.init(word: .delivering, response: response, file: file)
    case .undelivered(let age, let response, let file, let failure):
      self.init(word: .undelivered, age: age, failure: failure, response: response, file: file)
    case .ended(.succeeded(let response, let file), let age):
      self.init(word: .succeeded, age: age, response: response, file: file)
    case .ended(.failed(let failure), let age): self.init(word: .failed, age: age, failure: failure)
    }
  }

  /// The phase from its columns.
  func phase() throws(DamagedRow) -> TransferState.Phase {
    switch (word, age, failure, response, file) {
    case (.queued, nil, nil, nil, nil): return .queued
    case (.running, nil, nil, nil, nil): return .running
    case (.stopping, nil, nil, nil, nil): return .stopping
    case (.waiting, let age?, let failure?, nil, nil): return .waiting(until: age, failure)
    case (.delivering, nil, nil, let response?, let file?): return .delivering(response, file)
    case (.undelivered, let age, let failure?, let response?, let file?):
      return .undelivered(until: age, response, file, failure)
    case (.succeeded, let age?, nil, let response?, let file?): return .ended(.succeeded(response, file), at: age)
    case (.failed, let age?, let failure?, nil, nil): return .ended(.failed(failure), at: age)
    case (.queued, _, _, _, _), (.running, _, _, _, _), (.stopping, _, _, _, _), (.waiting, _, _, _, _),
      (.delivering, _, _, _, _), (.undelivered, _, _, _, _), (.succeeded, _, _, _, _), (.failed, _, _, _, _):
      throw DamagedRow(detail: "its phase is '\(word.rawValue)', and what goes with that is missing, or there is more")
    }
  }
}
