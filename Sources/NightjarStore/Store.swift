public import NightjarCore
internal import GRDB
internal import Synchronization

/// Makes the core's changes durable in one SQLite file, and gives them back at start.
///
/// One store per file and process, used by one loop: every call blocks until the disk has answered. What
/// ``commit(_:clock:counters:)`` has returned from survives the death of the process, of the machine and of its power.
public final class Store: Sendable {
  private struct State: ~Copyable {
    var database: OpenDatabase
    var notices: [String]
  }

  private let state: Mutex<State>

  /// Opens the database, or makes a new one; its folder must exist.
  ///
  /// The file is readable for its owner only. It is checked from end to end when it was not closed in order. A damaged
  /// one is renamed, together with its log, to `<path>.damaged-<n>`, and a new one is begun: ``notices`` says so.
  /// - Throws: ``StoreError``: the file cannot be had (``StoreError/Code/permission``, ``StoreError/Code/diskFull``,
  ///   ``StoreError/Code/io``, ``StoreError/Code/busy``) or a newer Nightjar wrote it (``StoreError/Code/newer``). The
  ///   file is what it was then.
  public init(path: String) throws(StoreError) {
    var notices: [String] = []
    let database = try OpenDatabase(DatabaseFile(path: path), notices: &notices)
    state = Mutex(State(database: database, notices: notices))
  }

  /// What a person should know of this database: one sentence or two for everything that was set aside or left out.
  /// Empty in ordinary times; complete once ``load()`` has returned.
  public var notices: [String] { state.withLock { $0.notices } }

  /// The number of the damaged database that was set aside, `<path>.damaged-<n>`, so that this one knows nothing; nil if none
  /// was. Final once ``load()`` has returned.
  public var setAside: Int? { state.withLock { $0.database.aside } }

  /// Reads all that is remembered, everything in the order of its numbers or names.
  ///
  /// A row that makes no sense, such as one with a word that this version does not know, is left out and told in
  /// ``notices``; so is a wake about a transfer that is not there. Such rows stay in the file.
  /// - Throws: ``StoreError``. A database that turns out to be damaged is set aside instead: the memory is empty then.
  public func load() throws(StoreError) -> Memory {
    try state.withLock { state throws(StoreError) in
      do throws(StoreError) {
        let (memory, leftOut) = try state.database.load()
        state.notices += leftOut
        return memory
      } catch  where error.code == .damaged {
        try state.database.replace(because: error, notices: &state.notices)
        return Memory()
      }
    }
  }

  /// Makes changes durable, together with the clock and the counters: all of them, or none.
  ///
  /// - Throws: ``StoreError``. Nothing of the commit is there then, and the same commit may be tried again:
  ///   ``StoreError/Code/diskFull`` and ``StoreError/Code/io`` may pass, ``StoreError/Code/damaged`` will not; the
  ///   next start checks the database then.
  public func commit(_ changes: Changes, clock: DeviceClock, counters: Counters) throws(StoreError) {
    try state.withLock { state throws(StoreError) in
      try state.database.commit(changes, clock: clock, counters: counters)
    }
  }

  /// Folds the log back into the file and cuts it off: what was removed or replaced until now is in neither any more.
  ///
  /// - Throws: ``StoreError``. Nothing is lost then; old pages may stay until it is folded back another time.
  public func fold() throws(StoreError) {
    try state.withLock { state throws(StoreError) in try state.database.fold() }
  }

  /// Ends the use of the database in order: its log is folded back into the file. Harmless when repeated; a later
  /// commit throws.
  public func close() {
    state.withLock { $0.database.close() }
  }
}
