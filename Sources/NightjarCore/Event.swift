public import NightjarModel

/// A fact that reaches the supervisor. It happened; the supervisor decides what follows from it.
public enum Event: Hashable, Sendable {
  /// An app or program asks for something.
  indirect case asked(AppCall, by: Caller, Ticket)
  /// A person or script asks for something.
  indirect case ordered(ControlCall, Ticket)
  /// A client attached: a bundle's process, or a program under its name.
  case attached(Attachment, Ticket)
  /// An attached client's connection has closed.
  case detached(ConnectionID)
  /// The engine reports on an attempt.
  indirect case transfer(TransferID, attempt: Int, TransferFact)
  /// The engine reports on a delivery.
  indirect case delivery(TransferID, attempt: Int, DeliveryFact)
  /// Linux reports on an app's life.
  case app(AppID, life: Int, AppFact)
  /// An app's life that an earlier daemon began goes on.
  case adopted(AppID, life: Int, pid: Int32, isFrozen: Bool)
  /// A bundle stands installed on the disk, newly, again, or as it was found at start.
  indirect case installed(InstalledApp, Ticket?)
  /// An app's bundle is gone from the disk.
  case uninstalled(AppID)
  /// The device's conditions have changed.
  case sensed(Conditions)
  /// Memory is short.
  case pressed(MemoryPressure)
  /// What was asked for under this number has been measured.
  case measured(question: Int, MemoryReading)
  /// Those who tell of the device's conditions are others now.
  case sourcesChanged(SignalSources)
  /// How clocks are set where the device is, at the start and whenever that changes.
  case located(ZoneRules)
  /// A notification was shown to whoever looks.
  case shown(NoticeID)
  /// All that was found at start has been reported: the work may begin.
  case started
  /// The daemon is about to end: what is reported is still remembered, and nothing is begun any more.
  case stopping
  /// The time that was asked for has come.
  case awoke
}
