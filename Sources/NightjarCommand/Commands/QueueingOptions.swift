import ArgumentParser
import NightjarModel
import NightjarWire

/// The options that `download` and `upload` share.
struct QueueingOptions: ParsableArguments {
  @Option(
    name: [.customShort("H"), .customLong("header")],
    help: ArgumentHelp("A header field to send, such as 'Accept: text/plain'; may be repeated.", valueName: "field"))
  var fields: [HeaderField] = []

  @Flag(name: .customLong("no-wait"), help: "Return as soon as the daemon has accepted it.")
  var returnsAtOnce = false

  @Flag(name: .customLong("no-start"), help: "Do not start the daemon if none runs.")
  var leavesDaemonAlone = false

  /// The fields in the protocol's form.
  var headers: [WireHeader] { fields.compactMap(\.wire) }

  /// - Throws: `ValidationError` for an invalid field.
  func check() throws { for field in fields { try field.check() } }
}

extension Context {
  /// A new key for a request, in the protocol's form.
  func freshKey() -> String {
    RequestKey(high: surroundings.entropy(), low: surroundings.entropy()).description
  }
}
