import Testing
import WeatherModel

@Suite struct TemperatureTests {
  @Test(arguments: [(273.15, "0°"), (294.26, "21°"), (268.42, "−5°"), (272.7, "0°"), (272.6, "−1°"), (310.65, "38°")])
  func `kelvin become whole degrees Celsius, and nothing has no sign`(kelvin: Double, words: String) {
    let temperature = Temperature(kelvin: kelvin)

    #expect(temperature?.words == words)
  }

  @Test(arguments: [0, -3, 21.5, 9999, .infinity, .nan])
  func `what is no temperature of air is none at all`(kelvin: Double) {
    #expect(Temperature(kelvin: kelvin) == nil)
  }
}
