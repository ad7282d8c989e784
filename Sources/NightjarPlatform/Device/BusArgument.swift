import CNightjarBus

/// An argument of a call, of one of the types that are used.
indirect enum BusArgument: Sendable {
  /// `s`; text behind a NUL, which the bus does not allow, is left out.
  case text(String)
  /// `u`.
  case count(UInt32)
  /// `i`.
  case number(Int32)
  /// `y`.
  case byte(UInt8)
  /// `b`.
  case truth(Bool)
  /// `as`.
  case texts([String])
  /// `a{sv}`, in this order; its values are plain.
  case properties([(name: String, value: BusArgument)])

  /// Its type, as a signature has it.
  private var signature: String {
    switch self {
    case .text: "s"
    case .count: "u"
    case .number: "i"
    case .byte: "y"
    case .truth: "b"
    case .texts: "as"
    case .properties: "a{sv}"
    }
  }

  /// Appends it to a call; a negative errno if that fails.
  func append(to call: OpaquePointer) -> Int32 {
    switch self {
    case .text(let text): nightjar_call_text(call, text)
    case .count(let count): nightjar_call_number(call, .init(ascii: "u"), Int64(count))
    case .number(let number): nightjar_call_number(call, .init(ascii: "i"), Int64(number))
    case .byte(let byte): nightjar_call_number(call, .init(ascii: "y"), Int64(byte))
    case .truth(let truth): nightjar_call_number(call, .init(ascii: "b"), truth ? 1 : 0)
    case .texts(let texts):
      Self.append(.init(ascii: "a"), of: "s", to: call) { texts.map { BusArgument.text($0).append(to: call) } }
    case .properties(let properties):
      Self.append(.init(ascii: "a"), of: "{sv}", to: call) {
        properties.map { Self.append(property: $0.name, $0.value, to: call) }
      }
    }
  }

  private static func append(property name: String, _ value: BusArgument, to call: OpaquePointer) -> Int32 {
    append(.init(ascii: "e"), of: "sv", to: call) {
      [
        nightjar_call_text(call, name),
        append(.init(ascii: "v"), of: value.signature, to: call) { [value.append(to: call)] },
      ]
    }
  }

  /// Appends a container; the first failure among all results counts.
  private static func append(
    _ type: CChar, of contents: String, to call: OpaquePointer, _ elements: () -> [Int32]
  ) -> Int32 {
    let opened = nightjar_call_open(call, type, contents)
    guard opened >= 0 else { return opened }
    return elements().first { $0 < 0 } ?? nightjar_call_shut(call)
  }
}

extension CChar {
  fileprivate init(ascii scalar: Unicode.Scalar) { self.init(bitPattern: UInt8(ascii: scalar)) }
}
