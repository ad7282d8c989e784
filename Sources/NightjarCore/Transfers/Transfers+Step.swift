import NightjarModel

extension Transfers {
  /// A transfer that has ended, has changed between running and not, or whose attempt has stopped when told to.
  struct Step: Sendable {
    var id: TransferID
    var wasRunning: Bool
    var isRunning: Bool
    var isEnded: Bool
  }
}
