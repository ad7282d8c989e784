public import NightjarModel

/// What is done in the world, after the commit. A crash can repeat a deed and never forget one.
///
/// What carries much does so in a box, so that the others are as small as they look.
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
  /// Remove what lies in the staging area for this transfer, its attempt too if one is under way.
  case discard(TransferID)
  /// Deliver a finished file.
  indirect case deliver(DeliveryOrder)
  /// Bring up an app.
  indirect case launch(LaunchOrder)
  /// Make all processes of an app stand still; ``AppFact/suspended(stint:_:)`` is the answer.
  case suspend(AppID, life: Int, stint: Int)
  /// Let an app run on that stands still, or was told to.
  case thaw(AppID, life: Int)
  /// Look whether a debugger holds an app up; ``AppFact/inspected(tracer:)`` is the answer.
  case inspect(AppID, life: Int)
  /// End an app's life: ask it to, or kill all its processes.
  case end(AppID, life: Int, politely: Bool)
  /// Keep the view that an app shows as its snapshot.
  case keepSnapshot(AppID)
  /// Forget the view that an app has shown.
  case dropView(AppID)
  /// Remove an app's snapshots, and the state that it would be restored to.
  case forgetLooks(AppID)
  /// Measure what these take up in memory; ``Event/measured(question:_:)`` is the answer.
  case measure(question: Int, [AppLifeID])
  /// Measure how much processor time an app's processes have taken, and how many bytes they have moved;
  /// ``AppFact/metered(errand:cpu:received:sent:)`` is the answer.
  case meter(AppID, life: Int, errand: Int64)
  /// Remove an app that has ended from the disk, with its container; of a program only its logs.
  case uninstall(AppID)
  /// Show a notification; ``Event/shown(_:)`` is the answer.
  indirect case show(Banner)
  /// Notifications that an earlier daemon has left: `seen` were shown, `unseen` are about to be, and no other is to be shown any
  /// longer.
  case restore(seen: [Banner], unseen: [NoticeID])
  /// Show a notification no longer.
  case retract(NoticeID)
  /// A line for an app's log and the daemon's: what was decided and why.
  case note(AppID?, String)
}
