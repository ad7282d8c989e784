import NightjarCore
import NightjarModel
import NightjarWire
import Varlink

/// The calls about what apps show, and about the app switcher.
extension Front {
  func handleViews(_ interface: inout VarlinkInterface) {
    interface.handle(AppInterface.SetView.self) { [self] call throws(VarlinkError) in
      let (html, caller) = (call.parameters.html, try caller(call.connection))
      let app = caller.app
      guard let number = views.receive(from: app) else {
        throw AppInterface.LimitReached(what: "views on their way", limit: Int64(ViewStore.underWayMax)).varlink
      }
      ask(.show(view: number, byteCount: html.utf8.count), by: caller, call) { [views] answer in
        views.show(answer == .done ? html : nil, number, of: app)
        return answer == .done ? Nothing() : nil
      }
    }
    interface.handle(AppInterface.IgnoreSnapshot.self) { [self] call throws(VarlinkError) in
      try ask(.ignoreSnapshot, call)
    }
  }

  func handleSwitcher(_ interface: inout VarlinkInterface) {
    interface.handle(ControlInterface.ListRecents.self) { [self] call in
      order(.listApps, call) { answer in
        guard case .apps(let views) = answer else { return nil }
        return .init(recents: views.recents)
      }
    }
    interface.handle(ControlInterface.RemoveRecent.self) { [self] call in
      order(.removeFromSwitcher(AppID(call.parameters.app)), call)
    }
    interface.handle(ControlInterface.ShowView.self) { [self] call in
      order(.showApp(AppID(call.parameters.app)), call) { [views] answer in
        guard case .app(let view) = answer else { return nil }
        guard view.view != nil, !view.isHidden, let shown = views.view(of: view.installed.id) else {
          return .init(hidden: view.view != nil && view.isHidden)
        }
        return .init(number: shown.number, html: shown.html, hidden: false)
      }
    }
    interface.handle(ControlInterface.ShowSnapshot.self) { [self] call in showSnapshot(call) }
    interface.handle(ControlInterface.Act.self) { [self] call in
      let action = ViewAction(call.parameters.action, fields: call.parameters.fields)
      order(.act(AppID(call.parameters.app), action), call)
    }
  }

  private func showSnapshot(
    _ call: VarlinkCall<ControlInterface.ShowSnapshot.Parameters, ControlInterface.ShowSnapshot.Reply>
  ) {
    let app = AppID(call.parameters.app)
    put(.showApp(app), call) { [self] answer in
      guard case .app(let view) = answer else { return call.refuse(answer) }
      guard let number = view.card.snapshot, !view.isHidden else {
        call.reply(.init(hidden: view.isHidden))
        return
      }
      views.readSnapshot(of: app) { [self] html in giveOut(html, number, of: app, call) }
    }
  }

  /// Answers with a snapshot that was read, unless the device was locked meanwhile.
  private func giveOut(
    _ html: String?, _ number: Int64, of app: AppID,
    _ call: VarlinkCall<ControlInterface.ShowSnapshot.Parameters, ControlInterface.ShowSnapshot.Reply>
  ) {
    put(.showApp(app), call) { answer in
      guard case .app(let view) = answer else { return call.refuse(answer) }
      let html = view.isHidden ? nil : html
      call.reply(.init(number: html.map { _ in number }, html: html, hidden: view.isHidden))
    }
  }
}

extension [AppView] {
  /// The apps in the switcher, the newest first.
  fileprivate var recents: [ControlInterface.Recent] {
    filter { $0.card.used != nil }.sorted { $0.card.used! > $1.card.used! }.map { view in
      ControlInterface.Recent(
        app: view.installed.id.rawValue, name: view.installed.displayName, state: view.message.state,
        snapshot: view.card.snapshot, hidden: view.isHidden)
    }
  }
}
