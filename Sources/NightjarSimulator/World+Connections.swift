import NightjarCore
import NightjarModel

/// Connections between clients and the daemon. Messages arrive in order; those under way when one end is gone still
/// arrive if the other end is their receiver.
extension World {
  /// Connects a process to the daemon; true if the daemon runs.
  mutating func dial(_ index: Int) -> Bool {
    guard supervisor != nil else { return false }
    connectionLast += 1
    let id = ConnectionID(connectionLast)
    connections[id] = Connection(id: id, pid: processes[index].pid, app: processes[index].app)
    processes[index].connection = id
    processes[index].isAttached = false
    planUp(.attached(id), on: id)
    return true
  }

  /// Closes the client's end; what it has written is still read.
  mutating func disconnect(_ index: Int) {
    guard let id = processes[index].connection else { return }
    connections[id]?.isOpen = false
    planUp(.hungUp(id), on: id)
    disconnected(index)
  }

  /// The process notices that its connection is gone: sessions must be opened again, and nothing is in flight.
  mutating func disconnected(_ index: Int) {
    guard processes[index].connection != nil else { return }
    (processes[index].connection, processes[index].isAttached) = (nil, false)
    for session in processes[index].sessions.indices {
      processes[index].sessions[session].isOpen = false
      processes[index].sessions[session].isOpening = false
      processes[index].sessions[session].isFinished = false
    }
    processes[index].inbox = []
    plan(.stepped(pid: processes[index].pid, .connect), in: dice.draw(50...3_000))
  }

  mutating func call(_ call: AppCall, _ index: Int) {
    guard let id = processes[index].connection else { return }
    planUp(.called(id, call), on: id)
  }

  mutating func send(_ letter: Letter, on id: ConnectionID) {
    guard var connection = connections[id] else { return }
    connection.downLast = max(connection.downLast, device.now + dice.draw(0...15))
    connections[id] = connection
    schedule.plan(.received(id, letter), at: connection.downLast)
  }

  mutating func tell(_ message: Message, on id: ConnectionID) {
    if case .ended(let ended) = message {
      if disk.wakes[ended.number] == nil, watch.settled[ended.number] != turns {
        fail("event \(ended.number) is told and does not wait")
      }
      if let app = connections[id]?.app, let wake = disk.wakes[ended.number], wake.app != app {
        fail("event \(ended.number) of \(wake.app) is told to \(app)")
      }
    }
    if case .asked(let asked) = message { checkAsked(asked, on: id) }
    switch message {
    case .expireRequestedTask(let number): shortenErrand(number, on: id)
    case .performFetch(let number, _): checkErrand(number, isFetch: true, on: id)
    case .performRequestedTask(let number, let kind, _, _):
      watch.tasksTold.insert(number)
      checkErrand(number, isFetch: kind == .refresh, on: id)
    default: break
    }
    if let process = processes.first(where: { $0.connection == id }), process.isFrozen {
      fail("\(process.app) is told \(message) while it stands still")
    }
    send(.message(message), on: id)
  }

  private mutating func planUp(_ happening: Happening, on id: ConnectionID) {
    guard var connection = connections[id] else { return }
    connection.upLast = max(connection.upLast, device.now + dice.draw(0...15))
    connections[id] = connection
    schedule.plan(happening, at: connection.upLast)
  }

  mutating func forwardAttachment(of id: ConnectionID) {
    guard let connection = connections[id] else { return }
    var relaunch: [String]?
    if case .program(let command)? = apps[connection.app]?.installed.kind { relaunch = command }
    let caller = Caller(app: connection.app, pid: connection.pid)
    let attachment = Attachment(connection: id, caller: caller, relaunch: relaunch)
    post(.attached(attachment, ticket(.attachment(id))))
  }

  mutating func forward(_ call: AppCall, from id: ConnectionID) {
    guard let connection = connections[id] else { return }
    watch.called(call, by: connection.app, disk)
    noteCancelling(call, by: connection.app)
    switch call {
    case .finishFetch(let number, _), .finishRequestedTask(let number, _):
      // Found by its process: it may have closed its connection right after. A report about an earlier errand ends
      // nothing.
      let index = processes.firstIndex { $0.pid == connection.pid && $0.errand?.number == number }
      if let index { processes[index].errand = nil }
    default: break
    }
    post(.called(call, by: Caller(app: connection.app, pid: connection.pid), ticket(.call(id, call))))
  }

  /// Closes a connection on the daemon's side; a client that still has it open sees that at once.
  mutating func dismiss(_ id: ConnectionID) {
    if let index = processes.firstIndex(where: { $0.connection == id }) { disconnect(index) }
  }

  mutating func hangUp(_ id: ConnectionID) {
    guard connections.removeValue(forKey: id) != nil else { return }
    post(.detached(id))
  }

  mutating func ticket(_ inquiry: Inquiry) -> Ticket {
    ticketLast += 1
    tickets[ticketLast] = inquiry
    return Ticket(ticketLast)
  }

  /// Delivers an answer to the caller.
  mutating func deliver(_ answer: Answer, to ticket: Ticket) {
    guard let inquiry = tickets.removeValue(forKey: ticket.rawValue) else {
      return fail("ticket \(ticket.rawValue) is answered twice")
    }
    switch inquiry {
    case .attachment(let id): send(.answer(nil, answer), on: id)
    case .call(let id, let call):
      if case .decide(let number, _, _) = call, answer == .done { watch.decided.insert(number) }
      send(.answer(call, answer), on: id)
    case .person: break
    }
  }
}
