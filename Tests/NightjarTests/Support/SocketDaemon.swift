import Foundation
import NightjarWire
import Varlink

@testable import Nightjar

/// As much of a daemon as the library needs, over a real socket: it remembers tasks and tells what a test wants told.
// Unchecked: the condition guards everything that changes.
final class SocketDaemon: @unchecked Sendable {
  let socket: String
  private let isBackground: Bool
  private let condition = NSCondition()
  private var service: VarlinkService?
  private var attachment: VarlinkCall<AppInterface.Attach.Parameters, AppInterface.Attach.Reply>?
  private var programs: [AppInterface.Program?] = []
  private var tasks: [Int64: AppInterface.NewTask] = [:]
  private var log: [String] = []

  init(in folder: String, isBackground: Bool = false) throws {
    (socket, self.isBackground) = (folder + "/nightjar.sock", isBackground)
    try start()
  }

  deinit { service?.stop() }

  /// Serves; after `stop` again.
  func start() throws {
    var interface = AppInterface.interface()
    addSessions(to: &interface)
    addEvents(to: &interface)
    let service = try VarlinkService(
      .init(vendor: "Nightjar", product: "test", version: "1", url: "https://example.com"), interfaces: [interface])
    try service.start(on: [VarlinkListener(binding: VarlinkAddress(path: socket))])
    condition.withLock { self.service = service }
  }

  /// Goes away, as when it is killed.
  func stop() {
    let service = condition.withLock {
      defer { (self.service, attachment) = (nil, nil) }
      return self.service
    }
    service?.stop()
    unlink(socket)
  }

  /// Sends an event over the attachment.
  func say(_ event: AppInterface.Attach.Reply) {
    let attachment = condition.withLock { self.attachment }
    attachment?.reply(event, continues: true)
  }

  /// Who attached, in order; nil for a launched app.
  var attached: [AppInterface.Program?] { condition.withLock { programs } }

  /// What was queued, by task.
  var queued: [Int64: AppInterface.NewTask] { condition.withLock { tasks } }

  /// Waits for a line of the log.
  func wait(for line: String, times: Int = 1) {
    let end = Date(timeIntervalSinceNow: 60)
    condition.withLock {
      while log.filter({ $0 == line }).count < times {
        precondition(condition.wait(until: end), "waited in vain for \(line), had \(log)")
      }
    }
  }

  private func note(_ line: String) {
    condition.withLock {
      log.append(line)
      condition.broadcast()
    }
  }

  private func addSessions(to interface: inout VarlinkInterface) {
    interface.handle(AppInterface.OpenSession.self) { [weak self] call throws(VarlinkError) in
      guard call.parameters.session != "taken" else {
        throw AppInterface.SessionInUse(session: "taken", pid: 1).varlink
      }
      call.reply(.init(nextTask: ((self?.queued.keys.max()) ?? 0) + 1, taskCount: 0))
      self?.note("open \(call.parameters.session)")
    }
    interface.handle(AppInterface.ListTasks.self) { [weak self] call in
      let tasks = (self?.queued ?? [:]).values.sorted { $0.task < $1.task }.map {
        AppInterface.Task(
          task: $0.task, key: $0.key, direction: $0.direction, method: $0.method, url: $0.url, headers: $0.headers,
          label: $0.label ?? "", priority: 0.5, state: .running, count: 0)
      }
      call.reply(.init(tasks: tasks, complete: true))
    }
    interface.handle(AppInterface.Enqueue.self) { [weak self] call throws(VarlinkError) in
      let task = call.parameters.task
      guard task.url != "http://refused.example/" else {
        throw AppInterface.InvalidRequest(field: "url", reason: "not today").varlink
      }
      self?.condition.withLock { self?.tasks[task.task] = task }
      call.reply(.init(transfer: task.task))
      self?.note("enqueue \(task.task)")
    }
  }

  private func addEvents(to interface: inout VarlinkInterface) {
    let isBackground = isBackground
    interface.handle(AppInterface.Attach.self, requiresMore: true) { [weak self] call in
      self?.condition.withLock {
        self?.attachment = call
        self?.programs.append(call.parameters.program)
      }
      call.reply(
        .init(attached: .init(app: "dev.nightjar.Test", life: 1, background: isBackground)), continues: true)
      self?.note("attach")
    }
    interface.handle(AppInterface.Acknowledge.self) { [weak self] call in
      call.reply(Nothing())
      for number in call.parameters.numbers { self?.note("acknowledge \(number)") }
    }
    interface.handle(AppInterface.FinishEvents.self) { [weak self] call in
      call.reply(Nothing())
      self?.note("finish \(call.parameters.session)")
    }
  }
}
