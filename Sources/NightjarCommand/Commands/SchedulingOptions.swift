import ArgumentParser
import NightjarWire

/// The options of `download` and `upload` about when a transfer may run.
struct SchedulingOptions: ParsableArguments {
  @Flag(help: "Wait for an unmetered network, external power, no low power mode, a battery that is not low.")
  var discretionary = false

  @Flag(name: .customLong("no-cellular"), help: "Use no cellular network.")
  var shunsCellular = false

  @Flag(name: .customLong("no-expensive"), help: "Use no network that costs money.")
  var shunsExpensive = false

  @Flag(name: .customLong("no-constrained"), help: "Use no network on which data is saved.")
  var shunsConstrained = false

  @Option(
    name: .customLong("not-before"),
    help: ArgumentHelp(
      "Do not begin before this time, such as '2027-01-31 03:00' (here) or 2027-01-31T03:00:00Z.", valueName: "time"))
  var notBefore: CalendarTime?

  @Option(help: ArgumentHelp("From 0 to 1; higher goes first. 0.5 if left out.", valueName: "number"))
  var priority: Double?

  /// - Throws: `ValidationError` for an invalid value.
  func check() throws {
    try notBefore?.check()
    guard (0...1).contains(priority ?? 0.5) else {
      throw ValidationError("The priority \(priority!) does not lie between 0 and 1.")
    }
  }

  /// These options together with others, in the protocol's form; nil if all have their defaults.
  func options(_ others: WireOptions?) -> WireOptions? {
    var options = others ?? WireOptions()
    if discretionary { options.discretionary = true }
    if shunsCellular { options.allowsCellular = false }
    if shunsExpensive { options.allowsExpensive = false }
    if shunsConstrained { options.allowsConstrained = false }
    options.earliestBegin = notBefore?.nanoseconds
    return options == WireOptions() ? nil : options
  }
}

extension WireOptions {
  private static let consideration =
    "unmetered network, external power, no low power mode, a battery that charges or is not low"

  /// What the transfer requires of the device, in words; nil if nothing in particular.
  var needs: String? {
    let needs = [
      discretionary == true || background == true ? Self.consideration : nil,
      allowsCellular == false ? "no cellular network" : nil, allowsExpensive == false ? "no expensive network" : nil,
      allowsConstrained == false ? "no constrained network" : nil,
    ].compactMap { $0 }
    guard !needs.isEmpty else { return nil }
    return needs.joined(separator: ", ") + (background == true ? " (queued in the background)" : "")
  }
}
