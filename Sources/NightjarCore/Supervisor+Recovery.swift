public import NightjarModel

/// What a start compares with what it finds on the disk.
extension Supervisor {
  /// Whether a transfer is remembered that still needs its staged file, or somebody else does.
  public func remembers(_ id: TransferID) -> Bool { transfers[id]?.needsFiles ?? false || isKept(id) }

  /// How many bytes of a transfer's staged file are of use to anybody; nil for all of them.
  public func usableBytes(of id: TransferID) -> Int64? {
    if let remnant = remnants[of: id] { return remnant.point.offset }
    let owner = transfers.heir(of: id) ?? id
    return transfers[owner].map(\.usableBytes) ?? 0
  }

  /// The apps that are remembered as bundles, by name.
  public var bundles: [InstalledApp] { apps.keys.sorted().map { apps[$0]! }.filter(\.isBundle).map(\.record.installed) }

  /// The apps that were removed and whose bundles may still lie on the disk, by name.
  public var departedApps: [AppID] { departed.sorted() }
}
