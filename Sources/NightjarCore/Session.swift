import NightjarModel

/// A background session: its tasks, and how many of them it still waits for.
struct Session: Sendable {
  var record: SessionRecord
  /// Its transfers by task identifier, ended ones included until they are acknowledged.
  var tasks = OrderedIndex<Int, TransferID>()
  /// Tasks that have neither ended nor been suspended.
  var running = 0

  init(_ record: SessionRecord) { self.record = record }
}
