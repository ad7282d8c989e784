extension AppHistory {
  /// A run of a task that the app had asked for with `BGTaskScheduler`.
  public struct TaskRun: Hashable, Sendable {
    /// The kind of a task.
    public enum Kind: Hashable, Sendable {
      /// A `BGAppRefreshTask`, or a `BGProcessingTask`.
      case refresh, processing
    }

    /// The kind of its request.
    public let kind: Kind
    /// The identifier of its request.
    public let identifier: String
    /// When the app was told to run it.
    public let began: Moment
    /// When `setTaskCompleted(success:)` was called, which may be too late; nil if it was not.
    public internal(set) var ended: Moment?
    /// What was passed to `setTaskCompleted(success:)`; nil if it was not called.
    public internal(set) var isSuccess: Bool?

    init(kind: Kind, identifier: String, began: Moment) {
      (self.kind, self.identifier, self.began) = (kind, identifier, began)
    }
  }
}
