/// A number of bytes as people read it: `0 B`, `999 B`, `1.5 KiB`, `700.0 MiB`; units are powers of 1024.
struct ByteCount: Hashable, Sendable, CustomStringConvertible {
  let bytes: Int64

  init(_ bytes: Int64) { self.bytes = bytes }

  private static let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

  /// The largest unit of which there is at least one after rounding to tenths.
  private var unit: Int {
    var (unit, size) = (0, Double(bytes.magnitude))
    while size >= (unit == 0 ? 1024 : 1023.95), unit < Self.units.count - 1 { (unit, size) = (unit + 1, size / 1024) }
    return unit
  }

  private func number(inUnit unit: Int) -> String {
    guard unit > 0 else { return "\(bytes)" }
    let tenths = Int64((Double(bytes) / Double(Int64(1) << Int64(10 * unit)) * 10).rounded())
    return "\(tenths / 10).\((tenths % 10).magnitude)"
  }

  /// The number with its unit.
  var description: String { "\(number(inUnit: unit)) \(Self.units[unit])" }

  /// This count of a whole, both in the unit of the whole: `315.0/700.0 MiB`.
  func description(of whole: ByteCount) -> String {
    "\(number(inUnit: whole.unit))/\(whole.number(inUnit: whole.unit)) \(Self.units[whole.unit])"
  }

  /// The count as a rate.
  var perSecond: String { "\(self)/s" }
}
