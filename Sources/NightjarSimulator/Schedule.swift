import NightjarCore
import NightjarModel

/// The future happenings of the world in the order of time; those at the same time happen in the order they were
/// planned.
struct Schedule: Sendable {
  private var heap = Heap<Happening>()

  var isEmpty: Bool { next == nil }
  var next: Int64? { heap.next }

  mutating func plan(_ happening: Happening, at: Int64) { heap.insert(happening, at: at) }

  /// Removes and returns the first happening.
  mutating func pop() -> (at: Int64, happening: Happening)? { heap.pop().map { ($0.at, $0.element) } }
}

/// Something that happens in the world. Cases with a `daemon` happen only while that daemon lives.
indirect enum Happening: Sendable {
  /// The daemon reads its mailbox.
  case drained(daemon: Int)
  /// The database can be written again.
  case wentOn(daemon: Int)
  /// The daemon's alarm rings.
  case alarmed(daemon: Int, alarm: Int)
  /// The daemon is started again.
  case revived
  /// An attempt makes progress, or stops as it was told.
  case engineStepped(TransferID, attempt: Int, daemon: Int)
  case engineStopped(TransferID, attempt: Int, daemon: Int)
  /// A delivery ends.
  case delivered(DeliveryOrder, daemon: Int)
  /// A fact reaches the mailbox late.
  case reported(Event, daemon: Int)
  /// The launcher carries out an order.
  case launched(LaunchOrder, daemon: Int)
  /// The launcher has made the processes of an app stand still.
  case stood(AppID, life: Int, stint: Int, daemon: Int)
  /// A process is gone.
  case exited(pid: Int32, isCrash: Bool)
  /// A process takes a step of its own.
  case stepped(pid: Int32, ProcessStep)
  /// A message from the daemon reaches a client, or a client's message the daemon.
  case received(ConnectionID, Letter)
  case called(ConnectionID, AppCall)
  case hungUp(ConnectionID)
  case attached(ConnectionID)
  /// An app's user wants something downloaded.
  case wished(AppID)
  /// People, the network and the device are looked at.
  case peopleLooked
  case networkLooked
  case deviceLooked
  case networkReturned
  case memoryLooked
}

/// What the daemon sends to a client.
enum Letter: Sendable {
  case answer(AppCall?, Answer)
  case message(Message)
}

/// What a process does by itself.
enum ProcessStep: Sendable {
  case connect
  case deliver
  case acknowledge
  case finish(String)
  case work(String)
  case decide(Int64)
  /// Its delegate has returned from `didEnterBackground`.
  case enter(Int64)
  /// A background task of it is done.
  case endTask(Int64)
  /// Its delegate was told of a notification.
  case takeNotice(NoticeID, shows: NoticeShowing?)
  /// The app has done what it was woken for.
  case finishFetch(Int64)
  case finishTask(Int64)
}
