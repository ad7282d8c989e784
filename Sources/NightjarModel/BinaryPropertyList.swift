/// The skeleton of a binary property list: which objects it has, and to which others each refers.
///
/// Foundation's reader trusts what it finds, so that a list made to harm, or damaged, ends the process. This one trusts
/// nothing. The format is that of `CFBinaryPList.c` in Core Foundation: `bplist0` and a digit, the objects, a table of
/// their offsets, and a trailer of 32 bytes that says how wide offsets and references are.
public struct BinaryPropertyList {
  private static let headLength = 8
  private static let trailerLength = 32
  private static let depthMax = 32
  private static let weightMax = 1 << 16

  /// The extent of an object with all that it refers to.
  private struct Extent {
    var depth = 1
    /// How many objects are read for it; what is referred to twice is read twice.
    var weight = 1
  }

  private let bytes: [UInt8]
  private let count: Int
  private let offsetWidth: Int
  private let referenceWidth: Int
  private let table: Int
  private var extents: [Int: Extent] = [:]

  /// Whether bytes are such a list, whole, no more than 32 levels deep, and of no more than 65,536 objects if each is
  /// counted as often as something refers to it.
  public static func isSound(_ bytes: [UInt8]) -> Bool {
    guard var list = BinaryPropertyList(bytes) else { return false }
    return (0..<list.count).allSatisfy { list.extent(of: $0, level: 1) != nil }
  }

  private init?(_ bytes: [UInt8]) {
    let trailer = bytes.count - Self.trailerLength
    guard trailer > Self.headLength, bytes.starts(with: "bplist0".utf8) else { return nil }
    self.bytes = bytes
    (offsetWidth, referenceWidth) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    let numbers = [8, 16, 24].map { Self.number(in: bytes[(trailer + $0)..<(trailer + $0 + 8)]) }
    guard let count = numbers[0], let top = numbers[1], let table = numbers[2] else { return nil }
    (self.count, self.table) = (count, table)
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth), top < count else { return nil }
    guard table > Self.headLength, table < trailer, (trailer - table) / offsetWidth == count else { return nil }
    guard (trailer - table) % offsetWidth == 0 else { return nil }
  }

  /// The extent of an object; nil if it, or one below it, is cut off, of no known kind, too deep, or refers to itself.
  private mutating func extent(of object: Int, level: Int) -> Extent? {
    if let known = extents[object] { return known }
    guard level <= Self.depthMax, let others = references(of: object) else { return nil }
    var whole = Extent()
    for other in others {
      guard let part = extent(of: other, level: level + 1) else { return nil }
      whole.depth = max(whole.depth, part.depth + 1)
      whole.weight += part.weight
      guard whole.depth <= Self.depthMax, whole.weight <= Self.weightMax else { return nil }
    }
    extents[object] = whole
    return whole
  }

  /// The objects that an object refers to; nil if it is cut off or of no known kind.
  private func references(of object: Int) -> [Int]? {
    guard let start = start(of: object) else { return nil }
    let (kind, low) = (bytes[start] >> 4, Int(bytes[start] & 0xF))
    switch kind {
    case 0x0: return [0x0, 0x8, 0x9].contains(low) ? [] : nil
    case 0x1: return low <= 4 ? leaf(at: start + 1, 1 << low) : nil
    case 0x2: return low == 2 || low == 3 ? leaf(at: start + 1, 1 << low) : nil
    case 0x3: return low == 3 ? leaf(at: start + 1, 8) : nil
    case 0x8: return leaf(at: start + 1, low + 1)
    default: break
    }
    guard let (length, content) = length(low, at: start + 1) else { return nil }
    switch kind {
    case 0x4, 0x5: return leaf(at: content, length)
    case 0x6: return leaf(at: content, 2 * length)
    case 0xA, 0xC: return numbers(at: content, length)
    case 0xD: return pairs(at: content, length)
    default: return nil
    }
  }

  /// Where an object stands; nil if there is none of this number, or its place is not among the objects.
  private func start(of object: Int) -> Int? {
    guard object < count else { return nil }
    let place = table + object * offsetWidth
    guard let start = Self.number(in: bytes[place..<(place + offsetWidth)]) else { return nil }
    return (Self.headLength..<table).contains(start) ? start : nil
  }

  /// How many elements follow, and where; a number above fourteen is an integer of its own.
  private func length(_ low: Int, at start: Int) -> (Int, content: Int)? {
    guard low == 0xF else { return (low, start) }
    guard start < table, bytes[start] >> 4 == 0x1, bytes[start] & 0xF <= 3 else { return nil }
    let content = start + 1 + 1 << Int(bytes[start] & 0xF)
    guard content <= table, let length = Self.number(in: bytes[(start + 1)..<content]) else { return nil }
    return length <= table ? (length, content) : nil
  }

  /// Nothing is referred to; nil if the content goes beyond the objects.
  private func leaf(at start: Int, _ length: Int) -> [Int]? { start + length <= table ? [] : nil }

  /// Keys and then values; keys have to be strings.
  private func pairs(at start: Int, _ length: Int) -> [Int]? {
    guard let all = numbers(at: start, 2 * length), all.prefix(length).allSatisfy(isString) else { return nil }
    return all
  }

  private func isString(_ object: Int) -> Bool {
    guard let start = start(of: object) else { return false }
    return bytes[start] >> 4 == 0x5 || bytes[start] >> 4 == 0x6
  }

  private func numbers(at start: Int, _ length: Int) -> [Int]? {
    guard length <= (table - start) / referenceWidth else { return nil }
    var numbers: [Int] = []
    for place in stride(from: start, to: start + length * referenceWidth, by: referenceWidth) {
      guard let number = Self.number(in: bytes[place..<(place + referenceWidth)]) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  /// A number, the highest byte first; nil if it is greater than any place in memory.
  private static func number(in bytes: ArraySlice<UInt8>) -> Int? {
    Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
