import ArgumentParser
import NightjarModel
import NightjarWire

/// The options of a transfer beyond its source and destination.
struct TransferWishes: ParsableArguments {
  @Option(
    name: .customLong("limit-rate"),
    help: ArgumentHelp("At most so many bytes a second, such as 500k or 2M.", valueName: "rate"))
  var rate: Rate?

  @Option(
    help: ArgumentHelp(
      "A proxy to go through, such as http://host:3128 or socks5://host; 'none' for none.", valueName: "url"))
  var proxy: String?

  /// The options in the protocol's form; nil if all have their defaults.
  var options: WireOptions? {
    var options = WireOptions()
    options.bytesPerSecondMax = rate?.bytes
    if let proxy { options.proxies = proxy == "none" ? WireProxies() : WireProxies(http: proxy, https: proxy) }
    return options == WireOptions() ? nil : options
  }

  /// - Throws: `ValidationError` for an invalid proxy. The message shows no password that it may contain.
  func check() throws {
    guard let proxy, proxy != "none" else { return }
    guard ["http://", "socks5://", "socks5h://"].contains(where: proxy.lowercased().hasPrefix) else {
      throw ValidationError("'\(Self.shown(proxy))' is no proxy; write http://host:port, socks5://host:port or none.")
    }
    if let fault = Authority(of: proxy)?.fault {
      throw ValidationError("The proxy cannot be used: \(fault); write http://host:port or socks5://host:port.")
    }
  }

  /// What stands after an `@`, or else before a colon: a password may stand behind that.
  private static func shown(_ proxy: String) -> String {
    guard let sign = proxy.utf8.lastIndex(of: UInt8(ascii: "@")) else {
      let name = proxy.prefix { $0 != ":" }
      return name.count < proxy.count ? name + "…" : proxy
    }
    return "…" + proxy[proxy.utf8.index(after: sign)...]
  }

  /// Bytes per second, as people write them: `k`, `M` and `G` are powers of 1024.
  struct Rate: ExpressibleByArgument {
    let bytes: Int64

    init?(argument: String) {
      let unit = argument.last.flatMap { Self.units[$0.lowercased()] }
      guard let number = Int64(unit == nil ? argument[...] : argument.dropLast()), number > 0 else { return nil }
      let (bytes, overflows) = number.multipliedReportingOverflow(by: unit ?? 1)
      guard !overflows else { return nil }
      self.bytes = bytes
    }

    private static let units: [String: Int64] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
  }
}
