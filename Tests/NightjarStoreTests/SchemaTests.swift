import GRDB
import NightjarCore
import NightjarModel
import Testing

@testable import NightjarStore

/// What stands here has been released: it only ever grows. A new word needs a new migration, even an empty one, so
/// that older versions refuse the database instead of stumbling over it.
struct SchemaTests {
  @Test func `the migrations are those that were released, in their order`() {
    #expect(Schema.names == GoldenSchema.versions.map(\.name))
    #expect(Schema.names.allSatisfy(Schema.isName))  // What is called otherwise counts as damage.
  }

  @Test(arguments: GoldenSchema.versions)
  func `every version's tables are what they were`(version: GoldenSchema) throws {
    let queue = try DatabaseQueue()

    try Schema.migrator.migrate(queue, upTo: version.name)

    let sql = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'grdb_migrations' ORDER BY name"
    let found = try queue.read { try String.fetchAll($0, sql: sql) }.joined(separator: ";\n")
    #expect(found == version.tables)
  }

  @Test func `the words are those that the migrations stand for`() {
    #expect(PhaseColumns.Word.allCases.map(\.rawValue) == GoldenSchema.phases)
    #expect(HistoryEntry.Kind.allCases.map(\.rawValue) == GoldenSchema.happenings)
    #expect(FetchDecision.Verdict.allCases.map(\.rawValue) == GoldenSchema.decisions)
    #expect(FetchOutcome.allCases.map(\.rawValue) == GoldenSchema.outcomes)
    #expect(FetchObstacle.Code.allCases.map(\.rawValue) == GoldenSchema.obstacles)
    #expect(TransferFailure.Code.allCases.map(\.rawValue) == GoldenSchema.failures)
  }
}
