/// What a download that was cancelled or failed has left: enough for another one to go on with.
///
/// It is kept over crashes and reboots for as long as `Limits.remnantsKeptFor` says, and can be used once.
public struct Remnant: Hashable, Sendable {
  /// Its token: the key of the request that left it.
  public var key: RequestKey
  /// The app that may use it.
  public var app: AppID
  /// The URL that was asked for; a download of another cannot go on with it.
  public var url: String
  /// The transfer in whose staged file the bytes lie.
  public var transfer: TransferID
  /// How far it had come.
  public var point: ResumePoint
  /// When it was left.
  public var born: Age

  /// How many bytes lie in the staging area.
  public var stagedBytes: Int64 { point.offset }

  /// What a transfer has left.
  public init(key: RequestKey, app: AppID, url: String, transfer: TransferID, point: ResumePoint, born: Age) {
    (self.key, self.app, self.url) = (key, app, url)
    (self.transfer, self.point, self.born) = (transfer, point, born)
  }
}
