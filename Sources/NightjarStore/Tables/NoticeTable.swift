import GRDB
import NightjarCore
import NightjarModel

/// Local notifications that were fired.
enum NoticeTable {
  fileprivate enum Stage: String {
    case unseen, seen, inForeground, tapped
  }

  private static let names = "number, " + NoticeRequest.columns + ", fired_at, stage"
  private static let upsert = """
    INSERT OR REPLACE INTO notice (\(names)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  private static let delete = "DELETE FROM notice WHERE number = ?"
  private static let select = "SELECT \(names) FROM notice ORDER BY number"

  static func write(_ changes: [NoticeID: FiredNotice?], to db: Database) throws {
    guard !changes.isEmpty else { return }
    let (upsert, delete) = (try RowWriter(db, upsert), try RowWriter(db, delete))
    for id in changes.keys.sorted() {
      if case .some(.some(let notice)) = changes[id] {
        try upsert.write { add(notice, to: &$0) }
      } else {
        try delete.write { $0.add(id.rawValue) }
      }
    }
  }

  static func read(into loading: inout Loading, _ db: Database) throws {
    try loading.read(db, "notice", select) { row throws(DamagedRow) in
      let (id, request) = (NoticeID(try row.number()), try row.notice())
      let (firedAt, stage) = (Timestamp(nanoseconds: try row.integer()), try row.word() as Stage)
      return FiredNotice(id: id, request: request, firedAt: firedAt, stage: stage.meaning)
    } keep: {
      $0.notices.append($1)
    }
  }

  private static func add(_ notice: FiredNotice, to row: inout Bindings) {
    row.add(notice.id.rawValue)
    row.add(notice.request)
    row.add(notice.firedAt.nanoseconds)
    row.add(Stage(notice.stage).rawValue)
  }
}

extension NoticeTable.Stage {
  fileprivate init(_ stage: FiredNotice.Stage) {
    switch stage {
    case .shown(isSeen: false): self = .unseen
    case .shown(isSeen: true): self = .seen
    case .told(isTapped: false): self = .inForeground
    case .told(isTapped: true): self = .tapped
    }
  }

  fileprivate var meaning: FiredNotice.Stage {
    switch self {
    case .unseen: .shown(isSeen: false)
    case .seen: .shown(isSeen: true)
    case .inForeground: .told(isTapped: false)
    case .tapped: .told(isTapped: true)
    }
  }
}
