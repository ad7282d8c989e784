/// Where the desktop is looked for.
public struct DesktopSettings: Sendable {
  /// Where the session bus is; nil for no bus.
  public var busAddress: String?
  /// Whether the desktop is to be used at all.
  public var isUsed = true

  /// The ordinary settings: the bus at `DBUS_SESSION_BUS_ADDRESS` of an environment, or where it is below
  /// `XDG_RUNTIME_DIR`.
  public init(environment: [String: String]) {
    let address = environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
    let folder = environment["XDG_RUNTIME_DIR"] ?? ""
    if !address.isEmpty {
      busAddress = address
    } else if folder.hasPrefix("/") {
      // In an address of D-Bus only some bytes may stand for themselves.
      busAddress = "unix:path=\(folder.percentEncoded(sparing: "-_/.\\*"))/bus"
    }
  }
}
