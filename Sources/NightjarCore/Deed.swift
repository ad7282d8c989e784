public import NightjarModel

/// What is done in the world, after the commit. A crash can repeat a deed and never forget one.
///
/// Cases that carry much are `indirect`, so that the others are as small as they look.
public enum Deed: Hashable, Sendable {
  /// Answer a client's call.
  indirect case answer(Ticket, Answer)
  /// Send an event to an attached app.
  indirect case tell(ConnectionID, Message)
  /// Close the connection of a client whose app is no more.
  case dismiss(ConnectionID)
  /// Begin an attempt at a transfer.
  indirect case start(TransferOrder)
  /// Stop that attempt; `stopped` is the answer, unless it had ended already.
  case stop(TransferID, attempt: Int)
  /// Remove this transfer's files from the staging area, and stop its attempt or delivery if one is under way.
  case discard(TransferID)
  /// Deliver a finished file.
  indirect case deliver(DeliveryOrder)
  /// Bring up an app.
  indirect case launch(LaunchOrder)
  /// Make all processes of an app stand still; ``AppFact/suspended(stint:_:)`` is the answer.
  case suspend(AppID, life: Int, stint: Int)
  /// Let an app that stands still, or was told to, run on.
  case thaw(AppID, life: Int)
  /// Find out whether a debugger holds up an app; ``AppFact/inspected(tracer:)`` is the answer.
  case inspect(AppID, life: Int)
  /// End an app's life: ask it to, or kill all its processes. A program's life is let go instead.
  case end(AppID, life: Int, politely: Bool)
  /// Keep the view that an app shows as its snapshot.
  case keepSnapshot(AppID)
  /// Forget the view that an app has shown.
  case dropView(AppID)
  /// Remove an app's snapshots, and the state that it would be restored to.
  case forgetLooks(AppID)
  /// Measure how much memory these lives take up; ``Event/measured(question:_:)`` is the answer.
  case measure(question: Int, [AppLifeID])
  /// Measure how much processor time an app's processes have taken, and how many bytes they have moved;
  /// ``AppFact/metered(errand:cpu:received:sent:)`` is the answer.
  case meter(AppID, life: Int, errand: Int64)
  /// Remove an ended app with its container from the disk; of a program, only its logs.
  case uninstall(AppID)
  /// Show a notification; ``Event/shown(_:)`` is the answer.
  indirect case show(Banner)
  /// Take over an earlier daemon's notifications: `seen` were shown, `unseen` are about to be, and any other is to
  /// disappear.
  case restore(seen: [Banner], unseen: [NoticeID])
  /// Stop showing a notification.
  case retract(NoticeID)
  /// A line for an app's log and the daemon's: what was decided and why.
  case note(AppID?, String)
}
