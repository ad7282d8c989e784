import NightjarModel

/// What the kernel knows of the way out of this machine.
struct NetworkReading: Hashable, Sendable {
  /// Whether there is an address of more than link scope on a running interface, or a default route.
  var isOnline = true
  /// Whether one of those is not merely virtual, as the bridge of a container is.
  var leavesMachine = true
  /// Whether the interface of the default route is a mobile modem's.
  var isCellular = false

  /// What kind of network there is, by the kernel and, where it is on the bus, by NetworkManager.
  ///
  /// NetworkManager knows what is metered; the kernel knows what NetworkManager does not manage. So there is a network
  /// when the kernel has an address or a route and NetworkManager either agrees or cannot know.
  func network(_ manager: NetworkWord?) -> Conditions.Network {
    let isManaged = manager?.isConnected ?? true
    guard isOnline, isManaged || leavesMachine else { return .none }
    if isCellular || isManaged && manager?.isCellular == true { return .cellular }
    return isManaged && manager?.isMetered == true ? .metered : .unmetered
  }
}

/// What NetworkManager says (https://networkmanager.dev/docs/api/latest/gdbus-org.freedesktop.NetworkManager.html).
struct NetworkWord: Hashable, Sendable {
  /// Whether it has a connection that leads at least to a local network, or does not know.
  var isConnected: Bool
  /// Whether the primary connection costs money, as far as it is told or guesses.
  var isMetered: Bool
  /// Whether the primary connection is a mobile modem's.
  var isCellular: Bool

  private static let stateUnknown: Int64 = 0
  private static let stateConnectedLocal: Int64 = 50
  private static let metered: Set<Int64> = [1, 3]  // yes, and guess-yes
  private static let mobileTypes: Set<String> = ["gsm", "cdma"]

  /// Reads the manager's properties; nil if they are not its own.
  init?(_ properties: [String: BusValue]) {
    guard let state = properties["State"]?.number else { return nil }
    isConnected = state == Self.stateUnknown || state >= Self.stateConnectedLocal
    isMetered = properties["Metered"]?.number.map(Self.metered.contains) ?? false
    isCellular = properties["PrimaryConnectionType"]?.text.map(Self.mobileTypes.contains) ?? false
  }
}
