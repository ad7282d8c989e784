/// What a transfer that was cancelled or failed has left: enough for another one to go on with.
///
/// It is kept over crashes and reboots for as long as `Limits.remnantsKeptFor` says, and can be used once.
public struct Remnant: Hashable, Sendable {
  /// Its token: the key of the request that left it.
  public var key: RequestKey
  /// The app that may use it.
  public var app: AppID
  /// The URL that was asked for, without name and password; a transfer of another cannot go on with it.
  public var url: String
  /// What the file that an upload was sending looked like; nil for a download.
  public var source: FileStamp?
  /// The transfer that left it; a download's bytes lie in its staged file.
  public var transfer: TransferID
  /// How far it had come.
  public var point: ResumePoint
  /// When it was left.
  public var born: Age

  /// How many bytes lie in the staging area.
  public var stagedBytes: Int64 { source == nil ? point.offset : 0 }

  /// What a transfer has left.
  public init(
    key: RequestKey, app: AppID, url: String, source: FileStamp? = nil, transfer: TransferID, point: ResumePoint,
    born: Age
  ) {
    (self.key, self.app, self.url, self.source) = (key, app, url, source)
    (self.transfer, self.point, self.born) = (transfer, point, born)
  }
}
