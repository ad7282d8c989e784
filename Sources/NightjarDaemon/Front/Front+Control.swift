import Glibc
import NightjarCore
import NightjarModel
import NightjarPlatform
import NightjarWire
import Varlink

/// The calls of people and scripts.
extension Front {
  var controlInterface: VarlinkInterface {
    var interface = ControlInterface.interface()
    interface.excuseForLength = { ControlInterface.LimitReached(what: "bytes of an answer", limit: Int64($0)).varlink }
    handleApps(&interface)
    handleLists(&interface)
    handleTransfers(&interface)
    handleQueueing(&interface)
    handleDevice(&interface)
    handleSwitcher(&interface)
    handleSettings(&interface)
    handleNotices(&interface)
    handleFetches(&interface)
    interface.handle(ControlInterface.Monitor.self, requiresMore: true) { [self] call in
      monitors.add(call, mailbox)
    }
    return interface
  }

  private func handleApps(_ interface: inout VarlinkInterface) {
    interface.handle(ControlInterface.ListApps.self) { [self] call in
      order(.listApps, call) { answer in
        guard case .apps(let views) = answer else { return nil }
        return .init(apps: views.map(\.message))
      }
    }
    interface.handle(ControlInterface.Install.self) { [self] call in install(call) }
    interface.handle(ControlInterface.Uninstall.self) { [self] call in
      order(.uninstall(AppID(call.parameters.app)), call)
    }
    interface.handle(ControlInterface.Launch.self) { [self] call in launch(call) }
    interface.handle(ControlInterface.Leave.self) { [self] call in
      order(.leave, call) { answer in
        guard case .leftForeground(let app) = answer else { return nil }
        return .init(app: app?.rawValue)
      }
    }
    interface.handle(ControlInterface.Terminate.self) { [self] call in
      order(.terminate(AppID(call.parameters.app)), call)
    }
    interface.handle(ControlInterface.LogPath.self) { [self] call in logPath(call) }
    interface.handle(ControlInterface.ListRecords.self) { [self] call in listRecords(call) }
  }

  /// Installs a bundle. The installer is told of the supervisor's answer even if the caller was told of a standstill
  /// before.
  private func install(_ call: VarlinkCall<ControlInterface.Install.Parameters, ControlInterface.Install.Reply>) {
    let path = call.parameters.path
    let answering = ticket(for: call) { answer in
      call.answer(answer) { if case .app(let view) = $0 { .init(app: view.message) } else { nil } }
    }
    guard let answering else { return }
    let ticket = tickets.issue { [installer, tickets] answer in
      if case .app(let view) = answer { installer.heard(view.installed.id) }
      tickets.redeem(answering, answer)
    }
    installer.install(path, ticket) { [tickets] error in
      tickets.withdraw(ticket)
      guard tickets.withdraw(answering) else { return }
      call.fail(ControlInterface.BundleRefused(path: path, reason: error.detail).varlink)
    }
  }

  private func logPath(_ call: VarlinkCall<ControlInterface.LogPath.Parameters, ControlInterface.LogPath.Reply>) {
    order(.showApp(AppID(call.parameters.app)), call) { [home] answer in
      if case .app(let view) = answer { .init(path: home.log(view.installed.id)) } else { nil }
    }
  }

  private func handleLists(_ interface: inout VarlinkInterface) {
    interface.handle(ControlInterface.Status.self) { [self] call in
      order(.status, call) { [self] answer in
        if case .status(let view) = answer { view.message(facts, home: home, screen: screen) } else { nil }
      }
    }
    interface.handle(ControlInterface.ListTransfers.self) { [self] call in
      let (app, after) = (call.parameters.app.map { AppID($0) }, call.parameters.after.map { TransferID($0) })
      let limit = Int(clamping: call.parameters.limit ?? .max)
      show(.listTransfers(app, after: after, limit: limit), call) { .init(transfers: $0, complete: $1) }
    }
    interface.handle(ControlInterface.ShowTransfer.self) { [self] call in
      show(.showTransfer(TransferID(call.parameters.id)), call) { views, _ in
        views.first.map { .init(transfer: $0) }
      }
    }
    interface.handle(ControlInterface.Why.self) { [self] call in
      why(TransferID(call.parameters.id), call)
    }
    interface.handle(ControlInterface.WhyApp.self) { [self] call in
      order(.explain(AppID(call.parameters.app)), call) { answer in
        guard case .explained(let view, let fetches) = answer else { return nil }
        return .init(sentences: view.sentences + (fetches?.sentences ?? []))
      }
    }
  }

  private func handleTransfers(_ interface: inout VarlinkInterface) {
    interface.handle(ControlInterface.Pause.self) { [self] call in order(.pause(TransferID(call.parameters.id)), call) }
    interface.handle(ControlInterface.Resume.self) { [self] call in order(.resume(TransferID(call.parameters.id)), call)
    }
    interface.handle(ControlInterface.Cancel.self) { [self] call in order(.cancel(TransferID(call.parameters.id)), call)
    }
  }

  private func handleQueueing(_ interface: inout VarlinkInterface) {
    interface.handle(ControlInterface.Download.self) { [self] call in
      let parameters = call.parameters
      let identity = RequestKey(parameters.key).map {
        RequestIdentity(key: $0, url: parameters.url, file: parameters.destination)
      }
      enqueue(parameters.destination, in: "destination", call, as: identity) { () throws(VarlinkError) in
        try parameters.request()
      } accept: {
        .init(id: $0.rawValue)
      }
    }
    interface.handle(ControlInterface.Upload.self) { [self] call in
      let parameters = call.parameters
      let identity = RequestKey(parameters.key).map {
        RequestIdentity(key: $0, url: parameters.url, file: parameters.file)
      }
      enqueue(parameters.file, in: "file", call, as: identity) { () throws(VarlinkError) in
        try parameters.request()
      } accept: {
        .init(id: $0.rawValue)
      }
    }
  }

  /// Queues a transfer of a person once the path it names has been inspected.
  private func enqueue<P: Sendable, R: Sendable>(
    _ path: String, in field: String, _ call: VarlinkCall<P, R>, as identity: RequestIdentity?,
    read: @escaping @Sendable () throws(VarlinkError) -> TransferRequest,
    accept: @escaping @Sendable (TransferID) -> R
  ) {
    let file = FileLook(path: path, field: field, identity: identity, refuse: invalidOrder)
    look(
      file, for: call, read: read,
      then: { [self] request in
        order(.enqueue(request), call) { if case .accepted(let id) = $0 { accept(id) } else { nil } }
      }, alreadyQueued: accept)
  }

  func order<P: Sendable, R: Sendable>(
    _ order: ControlCall, _ call: VarlinkCall<P, R>, translate: @escaping @Sendable (Answer) -> R?
  ) {
    put(order, call) { answer in call.answer(answer, translate) }
  }

  func order<P: Sendable>(_ order: ControlCall, _ call: VarlinkCall<P, Nothing>) {
    self.order(order, call) { $0 == .done ? Nothing() : nil }
  }

  /// Posts an order. In a standstill a person is told of it, and an app waits until it is over.
  func put<P: Sendable, R: Sendable>(
    _ order: ControlCall, _ call: VarlinkCall<P, R>, then: @escaping @Sendable (Answer) -> Void
  ) {
    if let ticket = ticket(for: call, then) { mailbox.post(.ordered(order, ticket)) }
  }

  /// A ticket for a call; nil if a person's call was answered already because of a standstill.
  private func ticket<P: Sendable, R: Sendable>(
    for call: VarlinkCall<P, R>, _ then: @escaping @Sendable (Answer) -> Void
  ) -> Ticket? {
    guard call.isOfControl else { return tickets.issue(then) }
    return tickets.issue(then) { standstill in
      call.fail(ControlInterface.CannotSave(reason: standstill.reason, pending: standstill.isPending).varlink)
    }
  }
}
