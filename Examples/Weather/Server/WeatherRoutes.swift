import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// What the server answers, in the words of the real service (https://openweathermap.org/current).
struct WeatherRoutes {
  let weather: RecordedWeather
  let calendar: WeatherCalendar
  /// The key that questions have to carry as `appid`; nil if none is asked for.
  let key: String?

  var router: Router<BasicRequestContext> {
    let router = Router()
    router.get("data/2.5/weather") { request, context in
      let answer = try self.answer(request.uri.queryParameters)
      context.logger.info(
        "\(request.uri.queryParameters["q"].map { String($0.prefix(80)) } ?? ""): \(answer.status.code)")
      return answer
    }
    return router
  }

  private func answer(_ question: Parameters) throws -> Response {
    if let key, question["appid"].map(String.init) != key {
      return Self.refusal(.unauthorized, cod: 401, "Invalid API key. This server was started with --key.")
    }
    guard let city = question["q"].map(String.init), !city.isEmpty else {
      return Self.refusal(.badRequest, cod: "400", "Nothing to geocode")
    }
    guard (question["units"] ?? "standard") == "standard" else {
      return Self.refusal(.badRequest, cod: "400", "These recordings are in kelvin: leave out `units`.")
    }
    let (changes, since) = calendar.look()
    guard let found = try weather.answer(for: city, changes: changes, since: since) else {
      return Self.refusal(.notFound, cod: "404", "city not found; there are \(weather.names.joined(separator: ", "))")
    }
    return Self.json(found, .ok)
  }

  /// The real service writes the code of some refusals as a number, of others as a text, and so do we.
  private static func refusal(_ status: HTTPResponse.Status, cod: some Encodable, _ message: String) -> Response {
    // A number and two texts have a JSON form.
    return json(try! JSONEncoder().encode(Words(cod: cod, message: message)), status)
  }

  private static func json(_ bytes: Data, _ status: HTTPResponse.Status) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}

/// A refusal as the real service has it.
private struct Words<Code: Encodable>: Encodable {
  var cod: Code
  var message: String
}
