import NightjarModel

/// The removal of a transfer's staged files, and what follows it.
struct Removal: Sendable {
  let id: TransferID
  let then: @Sendable () -> Void

  /// Also removes what a crash has left of a copy, without waiting for its file system.
  func carryOut(in area: StagingArea, _ fileSystems: FileSystems) {
    area.remove(id)
    guard let leftover = area.leftover(id) else { return }
    let mount = fileSystems.mount(of: leftover.copy) ?? fileSystems.own
    mount.lane(.copying).submit { leftover.remove() }
  }
}
