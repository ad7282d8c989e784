import GRDB
import Glibc

extension StoreError {
  /// Translates SQLite's error (sqlite.org/rescode.html). Any other error is about a value that this version did not
  /// write.
  ///
  /// - Parameter systemErrors: The `errno`s of the latest failures that SQLite had with its files.
  init(_ error: any Error, at path: String, systemErrors: Set<CInt>) {
    guard let error = error as? DatabaseError else {
      self = error as? StoreError ?? StoreError(.damaged, "\(Self.words(for: .damaged, path)) It was read: \(error).")
      return
    }
    let code = Code(error.extendedResultCode, systemErrors: systemErrors)
    let said = "SQLite says: \(error.message ?? "nothing") (\(error.extendedResultCode.rawValue))."
    self.init(code, "\(Self.words(for: code, path)) \(said)")
  }

  private static func words(for code: Code, _ path: String) -> String {
    switch code {
    case .diskFull: "The disk, or your quota on it, is full, or nearly, so \(path) cannot be written; free some space."
    case .io: "The disk or the system failed at the database \(path); look at the kernel's log."
    case .permission: "The database \(path), or its folder, cannot be written; see who owns both, and their modes."
    case .busy: "Another process holds the database \(path); end it first."
    case .damaged: "The database \(path) is damaged."
    case .newer: "The database \(path) was changed by a newer version of Nightjar; start that version again."
    }
  }
}

extension StoreError.Code {
  init(_ result: ResultCode, systemErrors: Set<CInt>) {
    self =
      switch (result, result.primaryResultCode) {
      case (.SQLITE_READONLY_DBMOVED, _): .io
      case (_, .SQLITE_FULL): .diskFull
      // SQLite knows of full disks (ENOSPC), and of no quotas.
      case (_, .SQLITE_IOERR) where result != .SQLITE_IOERR_NOMEM && systemErrors.contains(EDQUOT): .diskFull
      case (_, .SQLITE_PERM), (_, .SQLITE_READONLY), (_, .SQLITE_AUTH), (_, .SQLITE_CANTOPEN): .permission
      case (_, .SQLITE_BUSY), (_, .SQLITE_LOCKED): .busy
      // An error in the statement itself: the tables are not those that this version made.
      case (_, .SQLITE_CORRUPT), (_, .SQLITE_NOTADB), (_, .SQLITE_ERROR), (_, .SQLITE_SCHEMA): .damaged
      case (_, .SQLITE_CONSTRAINT), (_, .SQLITE_MISMATCH), (_, .SQLITE_FORMAT): .damaged
      default: .io
      }
  }
}
