import CNightjarBus
import Glibc

/// A plain value from the bus; whole numbers of every width are one kind, and so are texts, paths and signatures.
enum BusValue: Hashable, Sendable {
  case truth(Bool)
  case number(Int64)
  case real(Double)
  case text(String)
  /// Anything that is not plain; its content is not read.
  case other

  var truth: Bool? { if case .truth(let truth) = self { truth } else { nil } }
  var number: Int64? { if case .number(let number) = self { number } else { nil } }
  var real: Double? { if case .real(let real) = self { real } else { nil } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
}

/// An answer or a signal, to be read from front to back while its handler runs, and no longer.
struct BusMessage {
  /// The most elements of one list or dictionary that are read; the rest is ignored.
  private static let elementsMax = 1024

  private let message: OpaquePointer

  init(_ message: OpaquePointer) { self.message = message }

  /// Whether it is the error that a call has failed with.
  var hasFailed: Bool { nightjar_message_failed(message) }

  /// The error in the words of its sender; nil unless it ``hasFailed``.
  var failure: String? { nightjar_message_failure(message).map { String(cString: $0) } }

  /// The object that a signal is about.
  var path: String? { nightjar_message_path(message).map { String(cString: $0) } }

  /// The unique name of its sender.
  var sender: String? { nightjar_message_sender(message).map { String(cString: $0) } }

  /// The next value; nil at the end, or where the message is broken.
  func next() -> BusValue? {
    var value = nightjar_value()
    guard nightjar_message_read(message, &value) > 0 else { return nil }
    switch UInt8(bitPattern: value.type) {
    case UInt8(ascii: "b"): return .truth(value.truth)
    case UInt8(ascii: "i"): return .number(value.number)
    case UInt8(ascii: "d"): return .real(value.real)
    case UInt8(ascii: "s"): return .text(value.text.map { String(cString: $0) } ?? "")
    default: return .other
    }
  }

  /// The next value as properties and their values (`a{sv}`); nil if it is something else.
  func properties() -> [String: BusValue]? {
    guard enter("a", "{sv}") else { return nil }
    var found: [String: BusValue] = [:]
    while found.count < Self.elementsMax, enter("e", "sv") {
      guard let name = next()?.text, nightjar_message_enter_variant(message) > 0 else { return nil }
      found[name] = next()
      guard leave(), leave() else { return nil }
    }
    return found
  }

  /// The next value as a list of texts (`as`); nil if it is something else.
  func texts() -> [String]? {
    guard enter("a", "s") else { return nil }
    return Array(sequence(state: ()) { _ in next()?.text }.prefix(Self.elementsMax))
  }

  /// The next value as rows of plain values, each of the given types; nil if it is something else.
  func rows(of types: String) -> [[BusValue]]? {
    guard enter("a", "(\(types))") else { return nil }
    var rows: [[BusValue]] = []
    while rows.count < Self.elementsMax, enter("r", types) {
      rows.append(Array(sequence(state: ()) { _ in next() }))
      guard leave() else { return nil }
    }
    return rows
  }

  private func enter(_ type: Unicode.Scalar, _ contents: String) -> Bool {
    nightjar_message_enter(message, CChar(bitPattern: UInt8(ascii: type)), contents) > 0
  }

  private func leave() -> Bool { nightjar_message_leave(message) >= 0 }
}
