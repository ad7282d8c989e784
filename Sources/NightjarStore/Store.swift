public import NightjarCore
internal import GRDB
internal import Synchronization

/// Makes the core's changes durable in one SQLite file, and loads them at start.
///
/// One store per file and process, used by one loop: every call blocks until the disk has answered. What was committed
/// when ``commit(_:clock:counters:)`` returns survives a crash of the process, a crash of the machine and a loss of
/// power.
public final class Store: Sendable {
  private struct State: ~Copyable {
    var database: OpenDatabase
    var notices: [String]
  }

  private let state: Mutex<State>
  private let tell: @Sendable (String) -> Void

  /// Opens the database, or creates a new one; its folder must exist.
  ///
  /// The file is readable for its owner only. It is checked completely if it was not closed properly. A damaged one is
  /// renamed, together with its log, to `<path>.damaged-<n>`, and a new one is created: ``notices`` says so.
  ///
  /// - Parameter tell: Called with each of the ``notices`` as soon as this or ``load()`` is over, also if it throws.
  /// - Throws: ``StoreError``: the file cannot be opened (``StoreError/Code/permission``, ``StoreError/Code/diskFull``,
  ///   ``StoreError/Code/io``, ``StoreError/Code/busy``) or a newer Nightjar wrote it (``StoreError/Code/newer``). The
  ///   file is unchanged then.
  public init(path: String, tell: @escaping @Sendable (String) -> Void = { _ in }) throws(StoreError) {
    self.tell = tell
    var notices: [String] = []
    defer { notices.forEach(tell) }
    let database = try OpenDatabase(DatabaseFile(path: path), notices: &notices)
    state = Mutex(State(database: database, notices: notices))
  }

  /// What a person should know about this database: a few sentences for everything that was lost, set aside or left
  /// out. Usually empty; complete once ``load()`` has returned.
  public var notices: [String] { state.withLock { $0.notices } }

  /// The number of the damaged database that was set aside as `<path>.damaged-<n>` and replaced by this empty one; nil
  /// if none was. Final once ``load()`` has returned.
  public var setAside: Int? { state.withLock { $0.database.aside } }

  /// Reads everything that is remembered, in the order of its numbers or names.
  ///
  /// An invalid row, such as one with a word that this version does not know, is left out and reported in ``notices``;
  /// so is a wake about a transfer that does not exist. Such rows stay in the file. A counter lower than a number in
  /// use is raised to it, and a clock that is missing though there are ages is set to the latest; that is reported too.
  /// A log that somebody has taken away, emptied or overwritten, and with it the latest commits, is reported as well.
  /// - Throws: ``StoreError``. A database that turns out to be damaged is set aside instead: the memory is empty then.
  public func load() throws(StoreError) -> Memory {
    try state.withLock { state throws(StoreError) in
      let count = state.notices.count
      defer { state.notices.dropFirst(count).forEach(tell) }
      do throws(StoreError) {
        let (memory, notices) = try state.database.load()
        state.notices += notices
        return memory
      } catch  where error.code == .damaged {
        try state.database.replace(because: error, notices: &state.notices)
        return Memory()
      }
    }
  }

  /// Makes changes durable, together with the clock and the counters: all of them, or none.
  ///
  /// - Throws: ``StoreError``. Nothing of the commit is stored then, and it may be retried:
  ///   ``StoreError/Code/diskFull`` and ``StoreError/Code/io`` may pass, ``StoreError/Code/damaged`` will not, and has
  ///   the next start check the database.
  public func commit(_ changes: Changes, clock: DeviceClock, counters: Counters) throws(StoreError) {
    try state.withLock { state throws(StoreError) in
      try state.database.commit(changes, clock: clock, counters: counters)
    }
  }

  /// Checkpoints and truncates the log: what was removed or replaced before this is then neither in the log nor in the
  /// file.
  ///
  /// - Throws: ``StoreError``. Nothing is lost then; old pages may stay until the next fold.
  public func fold() throws(StoreError) {
    try state.withLock { state throws(StoreError) in try state.database.fold() }
  }

  /// Remembers that a person has been told of ``notices``: a log that was lost is not reported again. Until then every
  /// start reports it, also after a crash.
  public func noteTold() {
    state.withLock { $0.database.noteTold() }
  }

  /// Closes the database properly: its log is written back into the file. Harmless when repeated; a later commit
  /// throws. What ``notices`` say counts as told.
  ///
  /// A store that nobody holds any longer is closed, too, but has told nobody, as when the daemon cannot start.
  public func close() {
    state.withLock {
      $0.database.noteTold()
      $0.database.close()
    }
  }

  deinit { state.withLock { $0.database.close() } }
}
