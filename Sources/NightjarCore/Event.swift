public import NightjarModel

/// A fact that reaches the supervisor. It happened; the supervisor decides what follows from it.
public enum Event: Hashable, Sendable {
  /// An app or program asks for something.
  indirect case called(AppCall, by: Caller, Ticket)
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
  /// A bundle is on the disk: newly installed, replaced, or as it was found at start.
  indirect case installed(InstalledApp, Ticket?)
  /// An app's bundle is gone from the disk.
  case uninstalled(AppID)
  /// The device's conditions have changed.
  case sensed(Conditions)
  /// Memory is short.
  case pressed(MemoryPressure)
  /// The answer to ``Deed/measure(question:_:)`` of this number.
  case measured(question: Int, MemoryReading)
  /// The sources of the device's conditions have changed.
  case sourcesChanged(SignalSources)
  /// The rules of the time zone where the device is, at the start and whenever they change.
  case located(ZoneRules)
  /// A notification was shown on the screen.
  case shown(NoticeID)
  /// All that was found at start has been reported: the work may begin.
  case started
  /// The daemon is about to end: facts are still recorded, but nothing is begun any more.
  case stopping
  /// The time of ``Supervisor/nextLook`` has come.
  case awoke
}
