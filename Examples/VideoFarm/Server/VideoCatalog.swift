import GRDB
import HTTPTypes

/// Which videos there are. What a call here has returned from outlives a power cut.
struct VideoCatalog: Sendable {
  let database: DatabaseQueue

  /// Opens the catalogue at `path`, and makes it first if it is not there.
  init(path: String) throws {
    var configuration = Configuration()
    configuration.journalMode = .wal
    configuration.busyMode = .timeout(FarmLimits.catalogPatience)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    database = try DatabaseQueue(path: path, configuration: configuration)
    try Self.migrator.migrate(database)
  }

  /// Lets go of the file, so that another farm can have it. Requests that are still under way fail from here on.
  func close() throws { try database.close() }

  func all() async throws -> [Video] {
    try await database.read { try Video.order(Column("created"), Column("id")).fetchAll($0) }
  }

  func video(_ id: VideoID) async throws -> Video? {
    try await database.read { try Video.fetchOne($0, key: id) }
  }

  /// Adds a video, unless the farm is full.
  func add(_ video: Video) async throws {
    try await database.write { connection in
      guard try Video.fetchCount(connection) < FarmLimits.videosMax else {
        let most = FarmLimits.videosMax
        throw Refusal(.farmFull, "farm-full", "The farm has \(most) videos, the most that it keeps.")
      }
      try video.insert(connection)
    }
  }

  /// Gives the video a movie whose files are already on the disk, if the request's conditions still hold.
  ///
  /// - Returns: The movie that it replaces, whose files nobody names any more.
  func store(_ movie: Video.Movie, of id: VideoID, if conditions: HTTPFields) async throws -> Video.Movie? {
    try await database.write { connection in
      guard var video = try Video.fetchOne(connection, key: id) else { throw Refusal.noSuchVideo(id.description) }
      guard Validators.allowReplacing(video.movie?.validators, conditions) else {
        throw Refusal.preconditionFailed(id)
      }
      let replaced = video.movie
      video.movie = movie
      try video.update(connection)
      return replaced
    }
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("videos") { connection in
      try connection.create(table: Video.databaseTableName) { table in
        table.primaryKey("id", .text)
        table.column("title", .text).notNull()
        table.column("created", .integer).notNull()
        table.column("movie", .text)
      }
    }
    migrator.registerMigration("uploads") { connection in
      try connection.create(table: Upload.databaseTableName) { table in
        table.primaryKey("id", .text)
        table.column("video", .text).notNull()
        table.column("file", .text).notNull()
        table.column("length", .integer)
        table.column("ifMatch", .text)
        table.column("ifNoneMatch", .text)
        table.column("created", .integer).notNull()
        table.column("isComplete", .boolean).notNull()
      }
    }
    return migrator
  }
}
