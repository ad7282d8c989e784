import Foundation
import GRDB
import NightjarCore
import NightjarModel
import Testing

@testable import NightjarStore

struct OpeningTests {
  @Test func `the database and its log are the owner's alone`() throws {
    let folder = try Folder()

    let store = try Store(path: folder.database)
    try store.commit(Changes(), clock: .sample, counters: Counters())

    #expect(folder.names == ["nightjar.sqlite", "nightjar.sqlite-open", "nightjar.sqlite-wal"])
    #expect(try Bytes.mode(folder.database) == 0o600)
    #expect(try Bytes.mode(folder.database + "-wal") == 0o600)
    #expect(try Bytes.mode(folder.database + "-open") == 0o600)
  }

  @Test func `a database that others could read is closed to them`() throws {
    let folder = try Folder()
    try Store(path: folder.database).close()
    chmod(folder.database, 0o644)

    let store = try Store(path: folder.database)

    #expect(try Bytes.mode(folder.database) == 0o600)
    store.close()
  }

  @Test func `every commit is synced, and one process alone has the database`() throws {
    let folder = try Folder()
    var notices: [String] = []

    let database = try OpenDatabase(DatabaseFile(path: folder.database), notices: &notices)

    let found = try database.queue.read { db in
      try ["journal_mode", "synchronous", "locking_mode", "foreign_keys"].map {
        try String.fetchOne(db, sql: "PRAGMA \($0)")
      }
    }
    #expect(found == ["wal", "2", "exclusive", "1"])
  }

  @Test func `an orderly end leaves one file`() throws {
    let folder = try Folder()
    let store = try Store(path: folder.database)
    try store.commit(Changes(), clock: .sample, counters: Counters())

    store.close()
    store.close()

    #expect(folder.names == ["nightjar.sqlite"])
    #expect(throws: StoreError.self) { try store.commit(Changes(), clock: .sample, counters: Counters()) }
  }

  @Test func `a database that another holds is refused`() throws {
    let folder = try Folder()
    let first = try Store(path: folder.database)

    let error = #expect(throws: StoreError.self) { try Store(path: folder.database) }

    #expect(error?.code == .busy)
    first.close()
  }

  @Test func `a database of a newer version is refused and left as it is`() throws {
    let folder = try Folder()
    try Store(path: folder.database).close()
    try DatabaseQueue(path: folder.database).write {
      try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9-hovercraft')")
    }
    let before = try Bytes.of(folder.database)

    let error = #expect(throws: StoreError.self) { try Store(path: folder.database) }

    #expect(error?.code == .newer)
    #expect(error?.detail.contains("9-hovercraft") == true)
    #expect(try Bytes.of(folder.database) == before)
    #expect(folder.names == ["nightjar.sqlite"])
  }

  @Test func `a database of an older version is carried on, and no life in it is known to have attached`() throws {
    let folder = try Folder()
    let older = try DatabaseQueue(path: folder.database)
    try Schema.migrator.migrate(older, upTo: "9-calendars")
    try older.write {
      try $0.execute(
        sql: """
          INSERT INTO app (id, display_name, kind, path, executable, life, is_background, failures)
          VALUES ('a', 'A', 'bundle', '/A.app', '/A.app/A', 7, 0, 0)
          """)
    }
    try older.close()

    let store = try Store(path: folder.database)
    let apps = try store.load().apps

    #expect(apps.map(\.life) == [7] && apps.map(\.attachedLife) == [0])
    #expect(store.notices.isEmpty)
    store.close()
  }

  @Test func `a body whose transfer is gone costs nothing when the database is carried on`() throws {
    let folder = try Folder()
    let older = try DatabaseQueue(path: folder.database)
    try Schema.migrator.migrate(older, upTo: "3-app-life")
    try older.writeWithoutTransaction {
      try $0.execute(
        sql: """
          PRAGMA foreign_keys = OFF;
          INSERT INTO transfer_body (id, body) VALUES (77, x'00');
          INSERT INTO departure (app) VALUES ('a');
          """)
    }
    try older.close()

    let store = try Store(path: folder.database)

    #expect(try store.load().departed == [AppID("a")])
    #expect(store.notices.isEmpty)
    store.close()
  }

  @Test func `without its folder there is no database`() throws {
    let folder = try Folder()

    let error = #expect(throws: StoreError.self) { try Store(path: folder.path + "/gone/nightjar.sqlite") }

    #expect(error?.code == .io)
    #expect(error?.detail.contains("folder") == true)
  }

  @Test func `a place that may not be written is refused`() {
    let error = #expect(throws: StoreError.self) { try Store(path: "/sys/nightjar.sqlite") }

    #expect(error?.code == .permission)
  }
}
