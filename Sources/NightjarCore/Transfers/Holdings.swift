import NightjarModel

/// What lies in the staging area: the bytes of each app, and the heirs of files that other transfers have left.
struct Holdings: Sendable {
  private var bytes: [AppID: Int64] = [:]
  private var heirs: [TransferID: TransferID] = [:]
  private let bytesMax: Int64

  /// - Parameter bytesMax: From this many bytes on an app has too much there.
  init(bytesMax: Int64) { self.bytesMax = bytesMax }

  func bytes(of app: AppID) -> Int64 { bytes[app, default: 0] }
  func isTooMuch(of app: AppID) -> Bool { bytes(of: app) >= bytesMax }

  /// Adds to an app's bytes; `more` may be negative.
  mutating func count(_ more: Int64, of app: AppID) {
    let sum = bytes(of: app) + more
    bytes[app] = sum > 0 ? sum : nil
  }

  /// The heir of a transfer's staged file, though the transfer may be gone.
  func heir(of file: TransferID) -> TransferID? { heirs[file] }

  /// Makes a transfer the heir of the file that it goes on with, if another has left one.
  mutating func bequeath(to transfer: Transfer) {
    if let file = transfer.state.resume?.heritage { heirs[file] = transfer.id }
  }

  /// Ends a transfer's heirship: it has taken the file over, or is gone.
  mutating func disinherit(_ transfer: Transfer) {
    if let file = transfer.state.resume?.heritage, heirs[file] == transfer.id { heirs[file] = nil }
  }
}
