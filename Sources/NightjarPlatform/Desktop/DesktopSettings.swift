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
      busAddress = "unix:path=\(Self.escaped(folder))/bus"
    }
  }

  /// A path in an address of D-Bus, where only some bytes may stand for themselves.
  private static func escaped(_ path: String) -> String {
    let hex = Array("0123456789abcdef")
    return path.utf8.reduce(into: "") { text, byte in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "-_/.\\*".utf8.contains(byte)
      text += isPlain ? String(UnicodeScalar(byte)) : "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
    }
  }
}
