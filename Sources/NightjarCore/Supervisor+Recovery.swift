public import NightjarModel

/// What the daemon compares at its start with what it finds on the disk.
extension Supervisor {
  /// Whether a transfer's staged file is still needed: by the transfer, by its heir, or as a remnant.
  public func remembers(_ id: TransferID) -> Bool { transfers[id]?.needsFiles ?? false || isKept(id) }

  /// How many bytes of a transfer's staged file can still be used; nil for all of them.
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
