import Testing

@testable import NightjarBacktest

/// How sure a mean is.
@Suite struct BootstrapTests {
  @Test func `equal values leave no doubt`() {
    #expect(Bootstrap.interval(of: [0.25, 0.25, 0.25]) == 0.25...0.25)
  }

  @Test func `the interval lies around the mean, within the values, the same each time`() {
    let values = [0.1, 0.2, 0.3, 0.25, 0.15, 0.2]

    let interval = Bootstrap.interval(of: values)

    #expect(interval.contains(values.mean))
    #expect(interval.lowerBound > 0.1 && interval.upperBound < 0.3)
    #expect(interval == Bootstrap.interval(of: values))
  }
}
