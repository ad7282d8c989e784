/// Writes numbers and texts as bytes: eight for a number, the lowest first; a text as its length and its UTF-8.
struct SavedWriter {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }
  mutating func add(_ number: Double) { add(number.bitPattern) }
  mutating func add(_ numbers: [Double]) { for number in numbers { add(number) } }

  mutating func add(_ evidence: [Evidence]) {
    for evidence in evidence { add([evidence.seen, evidence.expected]) }
  }

  mutating func add(_ text: String) {
    add(Int64(text.utf8.count))
    bytes += text.utf8
  }
}

/// Reads what ``SavedWriter`` has written, and checks all of it.
struct SavedReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func bits() throws(HabitsError) -> UInt64 {
    guard rest.count >= 8 else { throw .damaged("they end too early") }
    defer { rest = rest.dropFirst(8) }
    return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A whole number within bounds.
  mutating func whole(_ what: String, in bounds: ClosedRange<Int64>) throws(HabitsError) -> Int64 {
    let number = Int64(bitPattern: try bits())
    guard bounds.contains(number) else { throw .damaged("\(what) is \(number)") }
    return number
  }

  /// A weight of evidence: neither negative nor infinite.
  mutating func weight() throws(HabitsError) -> Double {
    let number = Double(bitPattern: try bits())
    guard number >= 0, number <= 1e15 else { throw .damaged("there is evidence of the weight \(number)") }
    return number
  }

  mutating func weights(_ count: Int) throws(HabitsError) -> [Double] {
    var weights: [Double] = []
    for _ in 0..<count { weights.append(try weight()) }
    return weights
  }

  mutating func evidence(_ count: Int) throws(HabitsError) -> [Evidence] {
    var evidence: [Evidence] = []
    for _ in 0..<count { evidence.append(Evidence(seen: try weight(), expected: try weight())) }
    return evidence
  }

  mutating func text(max: Int64) throws(HabitsError) -> String {
    let count = Int(try whole("the length of a name", in: 0...max))
    guard rest.count >= count, let text = String(validating: rest.prefix(count), as: UTF8.self) else {
      throw .damaged("a name is no text")
    }
    rest = rest.dropFirst(count)
    return text
  }
}
