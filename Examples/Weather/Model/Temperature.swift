/// How warm it is.
public struct Temperature: Hashable, Codable, Sendable {
  /// In kelvin, as the service says it.
  public let kelvin: Double

  /// Whole degrees and fractions on the scale that people use.
  public var celsius: Double { kelvin - 273.15 }

  /// Nil for what is no temperature of air on this planet: such a number is rubbish, in whatever unit.
  public init?(kelvin: Double) {
    guard (150...350).contains(kelvin) else { return nil }
    self.kelvin = kelvin
  }

  /// `21°`, `−4°`: rounded to whole degrees Celsius, halves away from zero, and never a minus before nothing.
  public var words: String {
    let degrees = Int(celsius.rounded())
    return degrees < 0 ? "\u{2212}\(-degrees)°" : "\(degrees)°"
  }
}
