import NightjarHabits
import Testing

@Suite struct CurvesTests {
  /// Values from tables.
  @Test(arguments: [
    (0.0, 1.0), (1, 2.718281828459045), (-1, 0.36787944117144233), (0.5, 1.6487212707001282),
    (10, 22026.465794806718), (-20, 2.061153622438558e-09), (700, 1.0142320547350045e304),
  ])
  func `powers of e are right to fourteen digits`(x: Double, expected: Double) {
    #expect(abs(Curves.exp(x) / expected - 1) < 1e-14)
  }

  @Test(arguments: [
    (1.0, 0.0), (2, 0.6931471805599453), (0.5, -0.6931471805599453), (10, 2.302585092994046),
    (1e-300, -690.7755278982137), (1.4142135, 0.3465735806), (123456.789, 11.723646487185882),
  ])
  func `logarithms are right`(x: Double, expected: Double) {
    #expect(abs(Curves.ln(x) - expected) < 1e-7 * max(1, abs(expected)))
  }

  @Test func `each undoes the other`() {
    for step in -600...600 {
      let x = Double(step) / 7
      #expect(abs(Curves.ln(Curves.exp(x)) - x) < 1e-13 * max(1, abs(x)))
    }
  }

  @Test func `beyond their bounds they end in infinity, nought, or no number`() {
    #expect(Curves.exp(1000) == .infinity)
    #expect(Curves.exp(-1000) == 0)
    #expect(Curves.exp(.infinity) == .infinity)
    #expect(Curves.exp(-.infinity) == 0)
    #expect(Curves.exp(.nan).isNaN)
    #expect(Curves.ln(0) == -.infinity)
    #expect(Curves.ln(.infinity) == .infinity)
    #expect(Curves.ln(-1).isNaN)
    #expect(Curves.ln(.nan).isNaN)
  }

  @Test func `half is left after a half-life`() {
    #expect(abs(Curves.left(after: 14, halfLife: 14) - 0.5) < 1e-15)
    #expect(abs(Curves.left(after: 28, halfLife: 14) - 0.25) < 1e-15)
  }
}
