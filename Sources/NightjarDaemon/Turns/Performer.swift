import Logging
import NightjarCore
import NightjarModel
import NightjarPlatform
import NightjarTransfer

/// Performs a turn's deeds once it is committed. No rule lives here: every deed goes to the one room it concerns.
struct Performer: Sendable {
  let front: Front
  let transfers: TransferEngine
  let launcher: Launcher
  let freezer: Freezer
  let installer: BundleInstaller
  let journal: Journal
  let views: ViewStore
  let usageMeter: UsageMeter
  let screen: Screen

  func perform(_ turn: Turn, _ supervisor: Supervisor, at moment: Moment) {
    for deed in turn.deeds { perform(deed) }
    front.monitors.show(turn, supervisor, at: moment)
  }

  private func inspect(_ app: AppID, life: Int) {
    launcher.inspect(app, life: life) { [mailbox = front.mailbox] tracer in
      mailbox.post(.app(app, life: life, .inspected(tracer: tracer)))
    }
  }

  private func perform(_ deed: Deed) {
    switch deed {
    case .answer(let ticket, let answer): front.answer(ticket, answer)
    case .tell(let connection, let message): front.tell(connection, message)
    case .dismiss(let connection): front.dismiss(connection)
    case .start(let order): transfers.start(order)
    case .stop(let id, let attempt): transfers.stop(id, attempt: attempt)
    case .discard(let id): transfers.discard(id)
    case .deliver(let order): transfers.deliver(order)
    case .launch(let order): launcher.launch(order)
    case .end(let app, let life, let politely): launcher.end(app, life: life, politely: politely)
    case .suspend(let app, let life, let stint): freezer.freeze(app, life: life, stint: stint)
    case .thaw(let app, let life): launcher.thaw(app, life: life) { _ in }  // Its deadlines show if it does not run.
    case .keepSnapshot(let app): views.keepSnapshot(of: app)
    case .dropView(let app): views.drop(app)
    case .forgetLooks(let app): views.forgetLooks(of: app)
    case .inspect(let app, let life): inspect(app, life: life)
    case .meter(let app, let life, let errand): usageMeter.meter(app, life: life, errand)
    case .measure(let question, let lives): usageMeter.weigh(lives, question)
    case .uninstall(let app): installer.uninstall(app)
    case .show(let banner): screen.show(banner)
    case .restore(let seen, let unseen): screen.restore(seen: seen, unseen: unseen)
    case .retract(let id): screen.retract(id)
    case .note(let app, let text): journal.note(app, text)
    }
  }
}
