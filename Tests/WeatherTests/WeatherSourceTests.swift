import Foundation
import Testing
import WeatherModel

@Suite struct WeatherSourceTests {
  @Test func `the question has the address's key, the city, and no unit but kelvin`() throws {
    let source = WeatherSource(
      address: "https://api.openweathermap.org/data/2.5/weather?appid=abc&units=metric&q=Rome",
      city: " São Paulo & Co+ ")

    let question = try source.question()

    #expect(
      question.absoluteString
        == "https://api.openweathermap.org/data/2.5/weather?appid=abc&q=S%C3%A3o%20Paulo%20%26%20Co%2B")
  }

  @Test(arguments: ["", "weather", "ftp://example.com/", "file:///etc/passwd", "http://", "http:// bad?appid=secret"])
  func `an address that is none is refused with an example, and without its key`(address: String) {
    let source = WeatherSource(address: address, city: "Oslo")

    let trouble = #expect(throws: WeatherTrouble.self) { try source.question() }

    #expect(trouble?.code == .badAddress && trouble?.words.contains("appid=KEY") == true)
    #expect(trouble?.words.contains("secret") == false)
  }

  @Test(arguments: ["", "  \n", String(repeating: "x", count: 101)])
  func `a city without a name, or with too long a one, is not asked for`(city: String) {
    let source = WeatherSource(address: "http://127.0.0.1:8087/data/2.5/weather", city: city)

    let trouble = #expect(throws: WeatherTrouble.self) { try source.question() }

    #expect(trouble?.code == .cityUnknown)
  }

  @Test func `who does not answer is named without the question's key`() throws {
    let question = try #require(URL(string: "https://example.com/weather?appid=secret&q=Oslo"))

    let trouble = WeatherTrouble(silenceOf: question, because: "timed out")

    #expect(trouble.code == .unreachable && trouble.words.contains("example.com does not answer: timed out"))
    #expect(!trouble.words.contains("secret"))
  }
}
