extension ControlInterface {
  /// One thing that happened to an app. `at` is in milliseconds since 1970, `sentence` follows the app's name; the
  /// interface file lists what `kind` may be.
  public struct Record: Codable, Hashable, Sendable {
    public var at: Int64
    public var kind: String
    public var sentence: String

    /// Fills in every field.
    public init(at: Int64, kind: String, sentence: String) {
      (self.at, self.kind, self.sentence) = (at, kind, sentence)
    }
  }

  /// What has happened to an app, oldest first: the last `limit` records (all if null).
  public enum ListRecords: WireMethod {
    public static let name = "dev.nightjar.Control.ListRecords"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var app: String
      public var limit: Int64?

      /// Fills in every field; what may be null is null unless given.
      public init(app: String, limit: Int64? = nil) { (self.app, self.limit) = (app, limit) }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var records: [Record]

      /// Fills in every field.
      public init(records: [Record]) { self.records = records }
    }
  }
}
