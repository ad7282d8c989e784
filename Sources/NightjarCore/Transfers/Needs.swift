import NightjarModel

/// What a transfer needs of the device, as one of a few classes: the device meets all of a class or none.
struct Needs: OptionSet, Hashable, Comparable, Sendable {
  let rawValue: UInt8

  /// Its server is this machine.
  static let onlyLoopback = Needs(rawValue: 1)
  /// It waits for an unmetered network, and for enough power.
  static let convenience = Needs(rawValue: 2)
  /// It may use no cellular network.
  static let noCellular = Needs(rawValue: 4)
  /// It may use no network that costs money.
  static let noExpense = Needs(rawValue: 8)
  /// It may use no network on which data is saved.
  static let noConstraint = Needs(rawValue: 16)

  /// How many classes there are.
  static let count = 32

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The class of a transfer.
  init(of request: TransferRequest, on host: Host) {
    let options = request.options
    self = host.isLoopback ? .onlyLoopback : []
    if !options.allowsConstrained { insert(.noConstraint) }
    if options.discretion != nil {
      insert(.convenience)  // Which leaves out every network that costs money.
    } else {
      if !options.allowsCellular { insert(.noCellular) }
      if !options.allowsExpensive { insert(.noExpense) }
    }
  }

  static func < (a: Needs, b: Needs) -> Bool { a.rawValue < b.rawValue }
}
