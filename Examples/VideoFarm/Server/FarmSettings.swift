/// How a farm is set up.
public struct FarmSettings: Sendable {
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 takes any that is free.
  public var port = 0
  /// The folder that holds everything: the catalogue and the movies.
  public var data: String
  /// Bytes a second that each answer and each upload may have; nil for no limit.
  public var rate: Int?
  /// How many seeded videos there are to be.
  public var seeds = 0
  /// Bytes of each seeded movie.
  public var seedSize = 1024 * 1024

  /// Whether SIGTERM and SIGINT end the farm; a farm inside another program leaves them alone.
  public var endsOnSignals = true

  /// Settings for a farm that keeps everything under the folder `data`.
  public init(data: String) { self.data = data }
}

/// Why a farm could not be opened or run.
public struct FarmError: Error, CustomStringConvertible {
  /// What a program can act on.
  public enum Code: Sendable {
    case settings  // A setting is out of its range; correct it.
    case storage  // The data folder or the catalogue cannot be used.
    case port  // Somebody else has it, or it may not be used.
  }

  /// What a program can act on.
  public let code: Code
  /// What was wrong, for a person.
  public let detail: String

  /// The detail.
  public var description: String { detail }
}
