import GRDB
import GRDBSQLite
import NightjarCore

/// A database that was checked, migrated and is held by this process alone.
struct OpenDatabase: ~Copyable {
  private let file: DatabaseFile
  private(set) var queue: DatabaseQueue
  /// The number under which a damaged database was set aside, if one was.
  private(set) var aside: Int?
  /// The files as they were opened, log included: SQLite creates it with the first read.
  private var marks: DatabaseFile.Marks
  /// Whether somebody had taken the log away, or damaged it, before it was opened.
  private let hasLostLog: Bool

  /// Opens a database. A damaged one is set aside, with a notice, and a new one is created.
  init(_ file: DatabaseFile, notices: inout [String]) throws(StoreError) {
    if file.hasLostLog { file.markLoss() }
    (self.file, hasLostLog) = (file, file.hasLostLog)
    do throws(StoreError) {
      queue = try Self.open(file)
    } catch  where error.code == .damaged {
      (queue, aside) = try Self.beginAnew(file, because: error, notices: &notices)
    }
    marks = DatabaseFile.Marks(of: file)
  }

  /// Sets the damaged database aside, and creates a new one.
  mutating func replace(because error: StoreError, notices: inout [String]) throws(StoreError) {
    close()
    (queue, aside) = try Self.beginAnew(file, because: error, notices: &notices)
    marks = DatabaseFile.Marks(of: file)
  }

  /// Closes it properly: the log is emptied, then the sign goes, then the log.
  ///
  /// SQLite leaves the log of a file that was moved away, and the next start would apply it to whatever database lies
  /// there by then: it finds an empty one. A log that cannot be written back stays, and so does the sign; the sign
  /// also stays while a loss is untold.
  func close() {
    guard isOpen else { return }
    let wasInPlace = isInPlace
    do {
      try fold()
      file.removeSign()
    } catch {
      keepLog()
    }
    try? queue.close()
    // What could not be written back before may have been as SQLite let go of it.
    if wasInPlace, file.hasEmptyLog { file.removeSign() }
  }

  /// Lets the next start forget a loss, since a person knows of it.
  func noteTold() {
    if isOpen { file.settleLoss() }
  }

  func load() throws(StoreError) -> (Memory, notices: [String]) {
    try translated {
      try queue.read { db in
        let loading = try Loading(db)
        if !loading.leftOut.isEmpty || !loading.mended.isEmpty { try Self.check(db, file) }
        // A database that holds nothing has lost more than its latest changes.
        let isBehind = hasLostLog && loading.memory.clock != nil
        return (loading.memory, (isBehind ? [file.lossNotice] : []) + loading.notices(path: file.path))
      }
    }
  }

  /// - Throws: Also ``StoreError/Code/io`` if the file or its log no longer lies where it was opened.
  func commit(_ changes: Changes, clock: DeviceClock, counters: Counters) throws(StoreError) {
    try checkPlace()
    do throws(StoreError) {
      try translated {
        try queue.write { db in
          try DeviceTable.write(clock, counters, to: db)
          try AppTable.write(changes.apps, to: db)
          try SessionTable.write(changes.sessions, to: db)
          try RemnantTable.write(changes.remnants, to: db)
          try TransferTable.write(changes.transfers, to: db)
          try WakeTable.write(changes.wakes, to: db)
          try DepartureTable.write(changes.departures, to: db)
          try HistoryTable.write(changes.history, to: db)
          try SimulationTable.write(changes.simulated, to: db)
          try SettingTable.write(changes.refreshes, to: db)
          try FetchTable.write(changes.fetches, to: db)
          try RequestTable.write(changes.requests, to: db)
          try DecisionTable.write(changes.decisions, to: db)
          try HabitTable.write(changes.habits, to: db)
          try BudgetTable.write(changes.budget, to: db)
          try ScheduledNoticeTable.write(changes.scheduled, to: db)
          try NoticeTable.write(changes.notices, to: db)
        }
      }
      file.putSign()
    } catch {
      if error.code == .damaged { keepLog() }
      throw error
    }
  }

  func fold() throws(StoreError) {
    file.emptySign()
    defer { file.putSign() }  // A failed one leaves the log as it is.
    try translated { try Self.fold(queue) }
  }

  private var isOpen: Bool { queue.inDatabase { $0.sqliteConnection != nil } }

  private var isInPlace: Bool { marks.stillHold(for: file) }

  private func checkPlace() throws(StoreError) {
    guard !isInPlace else { return }
    throw StoreError(
      .io,
      "The database \(file.path), or its log beside it, was removed or replaced while it was in use; what is stored now "
        + "would be lost. Put the very files back, or stop the daemon and start it again to go on with what is there.")
  }

  /// Keeps the log even after a clean end, so that the next start checks the database.
  private func keepLog() {
    queue.writeWithoutTransaction { db in
      var isKept: CInt = 1
      _ = sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
    }
  }

  private func translated<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
    do { return try body() } catch { throw StoreError(error, at: file.path, systemErrors: queue.systemErrors) }
  }
}

extension OpenDatabase {
  private static func beginAnew(
    _ file: DatabaseFile, because error: StoreError, notices: inout [String]
  ) throws(StoreError) -> (DatabaseQueue, aside: Int) {
    let (path, number) = try file.setAside()
    notices.append("\(error.detail) It was set aside as \(path), and a new one was begun: what it held is not known.")
    return (try open(file), number)
  }

  private static func open(_ file: DatabaseFile) throws(StoreError) -> DatabaseQueue {
    let hadLostLog = file.hasLostLog
    do throws(StoreError) { return try opened(file) } catch {
      // SQLite writes the log back as it lets go of the database. Who holds the database still has its log.
      if !hadLostLog, !file.hasLog { file.removeSign() }
      throw error
    }
  }

  private static func opened(_ file: DatabaseFile) throws(StoreError) -> DatabaseQueue {
    let wasInterrupted = file.wasInterrupted
    try file.prepare()
    let queue: DatabaseQueue
    do { queue = try DatabaseQueue(path: file.path, configuration: configuration) } catch {
      throw StoreError(error, at: file.path, systemErrors: [])  // Whatever SQLite knew of it is gone.
    }
    do {
      try queue.read { db in
        if wasInterrupted { try check(db, file) }
        try refuseNewer(db, file)
      }
      try Schema.migrator.migrate(queue)
      if wasInterrupted {  // The log may still hold what was to be forgotten.
        file.emptySign()
        try? fold(queue)
      }
      file.putSign()
      return queue
    } catch {
      let refusal = StoreError(error, at: file.path, systemErrors: queue.systemErrors)
      try? queue.close()
      throw refusal
    }
  }

  private static func fold(_ queue: DatabaseQueue) throws {
    _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
  }

  private static func check(_ db: Database, _ file: DatabaseFile) throws {
    let finding = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no answer"
    guard finding == "ok" else {
      throw StoreError(.damaged, "The database \(file.path) is damaged. SQLite's check says: \(finding).")
    }
  }

  private static func refuseNewer(_ db: Database, _ file: DatabaseFile) throws {
    let names = try Schema.unknownNames(in: db)
    if let name = names.first(where: { !Schema.isName($0) }) {
      throw StoreError(.damaged, "The database \(file.path) is damaged: no version has a step called '\(name)'.")
    }
    guard names.isEmpty else {
      throw StoreError(
        .newer,
        "The database \(file.path) was changed by a newer version of Nightjar (\(names.joined(separator: ", "))); "
          + "start that version again, or move the file away to begin anew.")
    }
  }

  /// Every commit is synced (`synchronous`). Only one process may open the database (`locking_mode`), so it needs no
  /// shared index file. The log is checkpointed after a thousand pages, without waiting since there are no other
  /// readers, and truncated after a commit that made it long (`journal_size_limit`). Removed content is overwritten
  /// (`secure_delete`); until the next checkpoint the old page still exists.
  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "nightjar.store"
    configuration.busyMode = .timeout(1)
    configuration.prepareDatabase { db in
      try db.execute(
        sql: """
          PRAGMA locking_mode = EXCLUSIVE;
          PRAGMA synchronous = FULL;
          PRAGMA journal_mode = WAL;
          PRAGMA wal_autocheckpoint = 1000;
          PRAGMA journal_size_limit = 16777216;
          PRAGMA secure_delete = ON;
          PRAGMA cache_size = -8000;
          PRAGMA temp_store = MEMORY;
          PRAGMA trusted_schema = OFF;
          PRAGMA cell_size_check = ON;
          """)
    }
    return configuration
  }
}

extension DatabaseQueue {
  /// The `errno`s of the latest failures that SQLite had with the database and with its log. What the connection has
  /// (`sqlite3_system_errno`) is no use: SQLite 3.40 does not set it at a failed commit.
  var systemErrors: Set<CInt> {
    inDatabase { db in
      guard let connection = db.sqliteConnection else { return [] }
      var (ofDatabase, ofLog): (CInt, CInt) = (0, 0)
      var log: UnsafeMutablePointer<sqlite3_file>?
      _ = sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &ofDatabase)
      _ = sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log)
      if let log, let methods = log.pointee.pMethods {
        _ = methods.pointee.xFileControl?(log, SQLITE_FCNTL_LAST_ERRNO, &ofLog)
      }
      return [ofDatabase, ofLog]
    }
  }
}
