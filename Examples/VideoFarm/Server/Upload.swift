import GRDB
import HTTPTypes

/// What is remembered of an upload that can go on. Its offset is the size of its file.
struct Upload: Codable, Equatable, FetchableRecord, PersistableRecord, Sendable {
  static let databaseTableName = "upload"

  /// The token, which whoever knows it may go on with.
  let id: String
  let video: VideoID
  /// The file's name among the incoming ones.
  let file: String
  /// The whole length in bytes, as soon as the client has said it.
  var length: Int?
  /// The conditions of the first request, which count when the movie is whole.
  let ifMatch: String?
  let ifNoneMatch: String?
  /// Seconds since 1970.
  let created: Int
  /// Whether the movie is whole and stored.
  var isComplete = false

  var conditions: HTTPFields {
    var fields = HTTPFields()
    fields[.ifMatch] = ifMatch
    fields[.ifNoneMatch] = ifNoneMatch
    return fields
  }
}

extension VideoCatalog {
  /// Remembers a new upload, unless there are too many.
  func add(_ upload: Upload) async throws {
    try await database.write { connection in
      guard try Upload.fetchCount(connection) < FarmLimits.uploadsMax else {
        throw Refusal(.farmFull, "uploads-many", "The farm takes \(FarmLimits.uploadsMax) unfinished uploads at most.")
      }
      try upload.insert(connection)
    }
  }

  func upload(_ token: UploadToken) async throws -> Upload? {
    try await database.read { try Upload.fetchOne($0, key: token.description) }
  }

  func update(_ upload: Upload) async throws { try await database.write { try upload.update($0) } }

  func forget(_ upload: Upload) async throws { _ = try await database.write { try upload.delete($0) } }

  /// Forgets an upload whose file is gone, unless it is gone because the movie is stored by now.
  func forgetUnfinished(_ upload: Upload) async throws {
    _ = try await database.write { connection in
      try Upload.filter(key: upload.id).filter(Column("isComplete") == false).deleteAll(connection)
    }
  }

  func uploads() async throws -> [Upload] { try await database.read { try Upload.fetchAll($0) } }

  /// Forgets what nobody has finished in time.
  func forgetUploads(before moment: Int) async throws -> [Upload] {
    try await database.write { connection in
      let old = try Upload.filter(Column("created") < moment).fetchAll(connection)
      for upload in old { try upload.delete(connection) }
      return old
    }
  }
}
