import NightjarClient
import NightjarWire

/// Follows transfers over a `Monitor` stream until they end, across restarts of the daemon.
struct Follower {
  let context: Context
  let board: ProgressBoard
  /// The daemon, if this command has started it.
  var started: StartedDaemon?
  /// Called with every message, in order.
  var heard: (ControlInterface.Monitor.Reply) throws -> Void = { _ in }
  /// Called with every change of what is watched.
  var changed: (Vigil.Change) throws -> Void

  /// Follows until everything that is watched has ended, and returns the result.
  ///
  /// - Throws: `ClientError` if the daemon was away for too long; `CancellationError`; what ``heard`` and ``changed``
  ///   throw.
  func follow(_ start: Vigil, over first: DaemonConnection) async throws -> Vigil {
    let persistence = Persistence(context: context, board: board, started: started)
    var (vigil, connection) = (start, first)
    for _ in 0..<Persistence.outagesMax {
      vigil.begin()
      do {
        try await listen(&vigil, over: connection)
        return vigil
      } catch {
        connection = try await persistence.connection(after: error)
      }
    }
    throw ClientError(.lost, "The daemon went away \(Persistence.outagesMax) times; `nightjar status` tells how it is.")
  }

  private func listen(_ vigil: inout Vigil, over connection: DaemonConnection) async throws {
    for try await reply in try connection.replies(to: ControlInterface.Monitor.self) {
      try heard(reply)
      if let trouble = reply.trouble, !trouble.isEmpty { board.notice(DisplayText(trouble).description) }
      if let transfer = reply.transfer { try report(vigil.learn(transfer), vigil) }
      if let id = reply.removed { try report(vigil.learn(removed: id), vigil) }
      if reply.current == true { try await catchUp(&vigil) }
      if vigil.isOver { return }
    }
    try Task.checkCancellation()
    throw ClientError(.lost, "The daemon ended its report.")
  }

  /// Asks for transfers that ended while no stream was open, over a separate connection: this one is busy with the
  /// stream.
  private func catchUp(_ vigil: inout Vigil) async throws {
    guard !vigil.unheard.isEmpty else { return board.show(vigil.transfers, isImportant: true) }
    let connection = try context.connect()
    for id in vigil.unheard {
      let transfer = try await transfer(id, over: connection)
      try report(transfer.map { vigil.learn($0) } ?? vigil.learn(removed: id), vigil)
    }
  }

  /// The state of a transfer; nil if it is no longer listed.
  private func transfer(_ id: Int64, over connection: DaemonConnection) async throws -> ControlInterface.Transfer? {
    do {
      return try await connection.call(ControlInterface.ShowTransfer.self, .init(id: id)).transfer
    } catch {
      guard error.failure is ControlInterface.NoSuchTransfer else { throw error }
      return nil
    }
  }

  private func report(_ change: Vigil.Change, _ vigil: Vigil) throws {
    try changed(change)
    switch change {
    case .nothing: break
    case .progressed: board.show(vigil.transfers, isImportant: false)
    case .changed, .ended: board.show(vigil.transfers, isImportant: true)
    }
  }
}
