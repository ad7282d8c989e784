/// What a client changes of a task that it has queued; what is nil stays as it is.
public struct TaskChanges: Hashable, Sendable {
  /// The app's own words about the task.
  public var label: String?
  /// Higher goes first within one app, 0 to 1. An attempt that is under way keeps its place.
  public var priority: Float?
  /// No attempt is begun before this time on the wall clock; a time that has passed lets it go. One that is under way
  /// goes on.
  public var earliestBegin: Timestamp?
  /// The app's guess of the bytes it will send.
  public var bytesExpectedToSend: Int64?
  /// The app's guess of the bytes it will receive.
  public var bytesExpectedToReceive: Int64?

  /// No change.
  public init() {}
}

extension TransferRequest {
  /// The request with changes.
  public func changed(by changes: TaskChanges) -> TransferRequest {
    var request = self
    request.label = changes.label ?? label
    request.priority = changes.priority ?? priority
    request.options.earliestBegin = changes.earliestBegin ?? options.earliestBegin
    request.options.bytesExpectedToSend = changes.bytesExpectedToSend ?? options.bytesExpectedToSend
    request.options.bytesExpectedToReceive = changes.bytesExpectedToReceive ?? options.bytesExpectedToReceive
    return request
  }
}
