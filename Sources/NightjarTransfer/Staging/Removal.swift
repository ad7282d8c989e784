import NightjarModel

/// A transfer whose staged files go, and what comes then.
struct Removal: Sendable {
  let id: TransferID
  let then: @Sendable () -> Void

  /// What a crash has left of a copy goes, too, where its file system answers; that is not waited for.
  func carryOut(in area: StagingArea, _ fileSystems: FileSystems) {
    area.remove(id)
    guard let leftover = area.leftover(id) else { return }
    let mount = fileSystems.mount(of: leftover.copy) ?? fileSystems.own
    mount.lane(.copying).submit { leftover.remove() }
  }
}
