import Logging
import NightjarCore
import NightjarModel
import NightjarPlatform
import Synchronization

/// Shows notifications on the desktop, if there is one, in addition to the notification centre, which is the
/// supervisor's. What a person does with them there enters like an order from the command line.
final class Screen: Sendable {
  private let desktop: DesktopNotices
  private let lack: Lack

  /// What is missing, in a sentence.
  private final class Lack: Sendable {
    let sentence = Mutex<String?>(nil)
  }

  /// A screen that shows nothing before ``start(_:)``.
  init(lookout: Lookout, home: Home, library: AppLibrary, mailbox: Mailbox, tickets: Tickets, logger: Logger) {
    let lack = Lack()
    self.lack = lack
    let order: @Sendable (ControlCall) -> Void = { call in
      let ticket = tickets.issue { answer in
        if case .refused(let refusal) = answer { logger.info("a click on the desktop came to nothing: \(refusal)") }
      }
      mailbox.post(.ordered(call, ticket))
    }
    desktop = DesktopNotices(
      lookout: lookout, record: home.desktop, look: { library.look(of: $0.app, sound: $0.sound) },
      report: { fact in
        switch fact {
        case .shown(let id): mailbox.post(.shown(id))
        case .tapped(let id): order(.tapNotice(id))
        case .dismissed(let id): order(.dismissNotice(id))
        case .lacking(let sentence): lack.sentence.withLock { $0 = sentence }
        }
      })
  }

  /// Looks for a desktop from now on.
  func start(_ settings: DesktopSettings) { desktop.start(settings) }

  /// Shows a notification; ``Event/shown(_:)`` follows when the desktop has it.
  func show(_ banner: Banner) { desktop.show(banner) }

  /// Takes over the notifications of an earlier daemon.
  func restore(seen: [Banner], unseen: [NoticeID]) { desktop.restore(seen: seen, unseen: unseen) }

  /// Takes a notification off the desktop.
  func retract(_ id: NoticeID) { desktop.retract(id) }

  /// Why no desktop shows notifications, in a sentence; nil if one does or none is wanted.
  var trouble: String? { lack.sentence.withLock { $0 } }
}
