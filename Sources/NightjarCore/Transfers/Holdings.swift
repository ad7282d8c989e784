import NightjarModel

/// What lies in the staging area: how many bytes are whose, and whose a file is that another transfer has left.
struct Holdings: Sendable {
  private var bytes: [AppID: Int64] = [:]
  private var heirs: [TransferID: TransferID] = [:]
  private let bytesMax: Int64

  /// - Parameter bytesMax: From so many bytes on an app has too much there.
  init(bytesMax: Int64) { self.bytesMax = bytesMax }

  func bytes(of app: AppID) -> Int64 { bytes[app, default: 0] }
  func isTooMuch(of app: AppID) -> Bool { bytes(of: app) >= bytesMax }

  /// Bytes more of an app's, or fewer.
  mutating func count(_ more: Int64, of app: AppID) {
    let sum = bytes(of: app) + more
    bytes[app] = sum > 0 ? sum : nil
  }

  /// Whose the staged file of a transfer, which may be gone, is now.
  func heir(of file: TransferID) -> TransferID? { heirs[file] }

  /// A transfer goes on with what another has left, and will take the file over.
  mutating func bequeath(to transfer: Transfer) {
    if let file = transfer.state.resume?.heritage { heirs[file] = transfer.id }
  }

  /// A transfer has taken over what it inherited, or is gone.
  mutating func disinherit(_ transfer: Transfer) {
    if let file = transfer.state.resume?.heritage, heirs[file] == transfer.id { heirs[file] = nil }
  }
}
