import Foundation
import GRDB
@testable import NightjarCore
import NightjarModel
import Testing

@testable import NightjarStore

/// What is left on the disk of what was removed.
struct FoldTests {
  private let folder: Folder
  private let marker = "s3cret-of-a-transfer"
  private var log: String { folder.database + "-wal" }

  init() throws { folder = try Folder() }

  private func holdsMarker(_ path: String) throws -> Bool {
    try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(marker.utf8)) != nil
  }

  /// A store whose file has the marker, and whose log has that it was removed.
  private func removed() throws -> Store {
    let store = try Store(path: folder.database)
    let request = TransferRequest(
      key: RequestKey(high: 7, low: 1), app: AppID("a"), url: "https://anna:\(marker)@a.example/1")
    var (added, removed) = (Changes(), Changes())
    added.add(TransferRecord(id: TransferID(1), request: request, born: .zero, state: TransferState()))
    removed.remove(TransferID(1))
    try store.commit(added, clock: .sample, counters: Counters())
    try store.fold()
    #expect(try holdsMarker(folder.database))
    try store.commit(removed, clock: .sample, counters: Counters())
    return store
  }

  @Test func `neither the file nor the log has what was removed once it is folded back`() throws {
    let store = try removed()
    let early = try holdsMarker(folder.database)

    try store.fold()

    #expect(try early && !holdsMarker(folder.database) && !holdsMarker(log))
    #expect(try store.load().transfers.isEmpty)
    store.close()
  }

  @Test func `nothing of what came and went since the log was folded back is left when it is again`() throws {
    let store = try removed()
    let again = TransferRequest(key: RequestKey(high: 7, low: 2), app: AppID("a"), url: "https://\(marker)@a.example/1")
    var (added, gone) = (Changes(), Changes())
    added.add(TransferRecord(id: TransferID(2), request: again, born: .zero, state: TransferState()))
    gone.remove(TransferID(2))
    try store.commit(added, clock: .sample, counters: Counters())
    try store.commit(gone, clock: .sample, counters: Counters())
    let early = try holdsMarker(log)

    try store.fold()

    #expect(try early && !holdsMarker(folder.database) && !holdsMarker(log))
    store.close()
  }

  @Test func `the next opening folds the log back where the process was killed before it could`() throws {
    let store = try removed()
    let later = folder.path + "/later.sqlite"
    for end in ["", "-wal"] { try Bytes.put(Bytes.of(folder.database + end), at: later + end) }
    store.close()

    let next = try Store(path: later)

    #expect(try !holdsMarker(later) && !holdsMarker(later + "-wal"))
    #expect(try next.load().transfers.isEmpty)
    next.close()
  }

  @Test func `SQLite is told to overwrite what is removed, however it was built`() throws {
    var notices: [String] = []
    let database = try OpenDatabase(DatabaseFile(path: folder.database), notices: &notices)

    #expect(try database.queue.read { try Int.fetchOne($0, sql: "PRAGMA secure_delete") } == 1)
  }
}
