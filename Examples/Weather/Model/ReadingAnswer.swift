/// The service's JSON, field by field (https://openweathermap.org/current): of all that may be missing, nothing is
/// taken for granted.
struct ReadingAnswer: Decodable {
  struct Condition: Decodable {
    var id: Int?
    var description: String?
  }

  struct Figures: Decodable {
    var temp: Double?
    var feels_like: Double?
    var temp_min: Double?
    var temp_max: Double?
    var pressure: Double?
    var humidity: Double?
  }

  struct Wind: Decodable {
    var speed: Double?
    var deg: Double?
  }

  struct Sun: Decodable {
    var sunrise: Double?
    var sunset: Double?
  }

  var weather: [Condition]?
  var main: Figures?
  var wind: Wind?
  var sys: Sun?
  var dt: Double?
  var timezone: Double?
  var name: String?
}
