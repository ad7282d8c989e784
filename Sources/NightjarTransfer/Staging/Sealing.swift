import NIOCore
import NightjarModel

/// A file that has come whole, and waits to be made safe together with others.
struct Sealing: Sendable {
  let sync: StagedPart.Sync
  /// The file that an upload has sent, if it may be touched on this thread; it must still be the file that was queued.
  let source: SourceFile?
  /// The event loop on which the outcome is reported.
  let loop: any EventLoop
  let then: @Sendable (Result<StagedFile, TransferFailure>) -> Void

  /// Makes files and their names safe, and only then tells each outcome. The folder is synced once for all of them.
  static func seal(_ round: [Sealing], in area: StagingArea, isActive: Bool) {
    if isActive { begin(round) }
    var results = round.map { sealing in
      Result { () throws(TransferFailure) in try sealing.syncFile(isActive: isActive) }
    }
    if results.contains(where: \.isSuccess) {
      let folder = Result { () throws(TransferFailure) in try area.sync() }
      results = results.map { result in result.flatMap { file in folder.map { file } } }
    }
    tell(Array(zip(round, results)))
  }

  /// The syncs of all are begun before the first is waited for, so that they share what the file system writes.
  private static func begin(_ round: [Sealing]) {
    guard round.count > 1 else { return }
    for sealing in round { sealing.sync.file.beginWriting() }
  }

  private func syncFile(isActive: Bool) throws(TransferFailure) -> StagedFile {
    guard isActive else { throw .shutDown }
    try source?.verify()
    return try sync.seal()
  }

  /// Reports outcomes, those of one loop in one go.
  private static func tell(_ outcomes: [(sealing: Sealing, result: Result<StagedFile, TransferFailure>)]) {
    var rest = outcomes[...]
    while let loop = rest.first?.sealing.loop {
      let next = rest.prefix { $0.sealing.loop === loop }
      rest = rest.dropFirst(next.count)
      loop.execute { for outcome in next { outcome.sealing.then(outcome.result) } }
    }
  }
}

extension Result {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}

extension TransferFailure {
  /// There are no file threads any more.
  static let shutDown = TransferFailure(.cannotWrite, "the transfer engine has been shut down")
}
