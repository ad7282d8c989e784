/// A token of a program's output.
enum Token: Hashable, Sendable {
  /// A character.
  case character(Unicode.Scalar)
  /// A control character (C0), such as a carriage return.
  case control(UInt8)
  /// An escape sequence without parameters.
  case escape(intermediate: UInt8?, final: UInt8)
  /// A control sequence (CSI).
  case sequence(Sequence)

  /// A control sequence: `ESC [ ? 25 h` has the prefix `?`, the parameter 25 and the final byte `h`.
  struct Sequence: Hashable, Sendable {
    var prefix: UInt8?
    var parameters: [Parameter] = []
    var intermediate: UInt8?
    var final: UInt8 = 0

    /// A parameter that is a count; 1 if it is left out or 0.
    func count(_ place: Int = 0) -> Int { max(number(place), 1) }

    /// A parameter; 0 if it is left out.
    func number(_ place: Int) -> Int { place < parameters.count ? parameters[place].number : 0 }
  }

  /// A parameter of a control sequence: `4:3` has the number 4 and the detail 3 (ECMA-48, 5.4.2). A part that is left
  /// out is 0.
  struct Parameter: Hashable, Sendable {
    var number = 0
    var details: [Int] = []
  }
}

/// Splits bytes into tokens as a terminal does: after Paul Williams' state machine
/// (https://vt100.net/emu/dec_ansi_parser), with characters in UTF-8. It never holds more than a few bytes, whatever a
/// program writes.
struct Tokenizer: Sendable {
  private enum State {
    case ground, escape, sequence, ignoredSequence
    /// In an operating system command or another string, which is ignored here.
    case string, stringEscape
  }

  private var state = State.ground
  private var intermediate: UInt8?
  private var open = Token.Sequence()
  private var characters = CharacterDecoder()
  private static let (parametersMax, detailsMax, numberMax) = (32, 8, 65_535)

  /// Takes a byte; returns the tokens that it completes.
  mutating func take(_ byte: UInt8) -> [Token] {
    if byte == 0x18 || byte == 0x1A {  // CAN and SUB abort any sequence.
      state = .ground
      return []
    }
    switch state {
    case .ground: return takeText(byte)
    case .escape: return takeEscape(byte)
    case .sequence, .ignoredSequence: return takeSequence(byte)
    case .string, .stringEscape: return takeString(byte)
    }
  }

  private mutating func takeText(_ byte: UInt8) -> [Token] {
    if byte == 0x1B {
      (state, intermediate) = (.escape, nil)
      return characters.breakOff().map(Token.character)
    }
    if byte < 0x20 { return characters.breakOff().map(Token.character) + [.control(byte)] }
    return byte == 0x7F ? [] : characters.take(byte).map(Token.character)
  }

  private mutating func takeEscape(_ byte: UInt8) -> [Token] {
    switch byte {
    case 0x1B: intermediate = nil
    case 0x00..<0x20: return [.control(byte)]
    case 0x20..<0x30: intermediate = byte
    case UInt8(ascii: "[") where intermediate == nil: (state, open) = (.sequence, Token.Sequence())
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      state = .string
    default:
      state = .ground
      return byte == 0x7F ? [] : [.escape(intermediate: intermediate, final: byte)]
    }
    return []
  }

  private mutating func takeSequence(_ byte: UInt8) -> [Token] {
    switch byte {
    case 0x1B: (state, intermediate) = (.escape, nil)
    case 0x00..<0x20: return [.control(byte)]
    case UInt8(ascii: "0")...UInt8(ascii: "9"): takeDigit(Int(byte - UInt8(ascii: "0")))
    case UInt8(ascii: ";"): beginParameter()
    case UInt8(ascii: ":"): beginDetail()
    case 0x3C...0x3F: if open.parameters.isEmpty { open.prefix = byte } else { state = .ignoredSequence }
    case 0x20..<0x30: open.intermediate = byte
    case 0x40...0x7E:
      defer { state = .ground }
      open.final = byte
      return state == .sequence ? [.sequence(open)] : []
    default: break
    }
    return []
  }

  private mutating func takeDigit(_ digit: Int) {
    var parameter = open.parameters.popLast() ?? Token.Parameter()
    if let detail = parameter.details.popLast() {
      parameter.details.append(min(detail * 10 + digit, Self.numberMax))
    } else {
      parameter.number = min(parameter.number * 10 + digit, Self.numberMax)
    }
    open.parameters.append(parameter)
  }

  private mutating func beginParameter() {
    if open.parameters.isEmpty { open.parameters = [Token.Parameter()] }
    guard open.parameters.count < Self.parametersMax else { return state = .ignoredSequence }
    open.parameters.append(Token.Parameter())
  }

  private mutating func beginDetail() {
    var parameter = open.parameters.popLast() ?? Token.Parameter()
    if parameter.details.count < Self.detailsMax { parameter.details.append(0) } else { state = .ignoredSequence }
    open.parameters.append(parameter)
  }

  /// A string ends with BEL or ST (`ESC \`).
  private mutating func takeString(_ byte: UInt8) -> [Token] {
    switch (state, byte) {
    case (_, 0x07): state = .ground
    case (_, 0x1B): state = .stringEscape
    case (.stringEscape, UInt8(ascii: "\\")): state = .ground
    case (.stringEscape, _):
      (state, intermediate) = (.escape, nil)
      return takeEscape(byte)
    default: break
    }
    return []
  }
}
