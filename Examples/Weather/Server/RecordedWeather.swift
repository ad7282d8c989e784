import Foundation

/// The answers that were recorded of each city, in the order in which the weather changed.
///
/// An answer is given out as it was recorded, but for its times: `dt` is the moment from which on it is given, and
/// sunrise and sunset are moved by whole days, to the one of that moment.
struct RecordedWeather: Sendable {
  /// The recordings by the name of their city, in small letters; each is a JSON object.
  private let cities: [String: [Data]]

  /// Those that are part of the program.
  ///
  /// - Throws: If the program was built with recordings that are none.
  init() throws {
    let files = [PackageResources.oslo_json, PackageResources.lisbon_json, PackageResources.nairobi_json]
    try self.init(files: files.map { Data($0) })
  }

  /// - Parameter files: JSON arrays with the answers of one city each.
  init(files: [Data]) throws {
    var cities: [String: [Data]] = [:]
    for file in files {
      let answers = try JSONSerialization.jsonObject(with: file) as? [[String: Any]] ?? []
      guard let name = answers.first?["name"] as? String else { throw CocoaError(.coderReadCorrupt) }
      cities[name.lowercased()] = try answers.map { try JSONSerialization.data(withJSONObject: $0) }
    }
    self.cities = cities
  }

  /// The cities that there are, for people.
  var names: [String] { cities.keys.sorted().map(\.capitalized) }

  /// What the service answers about a city after so many changes of the weather, the last of which was at `moment`.
  /// Nil for a city that is unknown; the country after a comma in its name does not matter.
  func answer(for city: String, changes: Int, since moment: Date) throws -> Data? {
    guard let recordings = cities[Self.key(city)] else { return nil }
    let recording = recordings[changes % recordings.count]
    guard var answer = try JSONSerialization.jsonObject(with: recording) as? [String: Any] else { return nil }
    let time = Int(moment.timeIntervalSince1970)
    if var sun = answer["sys"] as? [String: Any], let recorded = answer["dt"] as? Int {
      let days = Int((Double(time - recorded) / 86400).rounded()) * 86400
      for name in ["sunrise", "sunset"] { sun[name] = (sun[name] as? Int).map { $0 + days } }
      answer["sys"] = sun
    }
    answer["dt"] = time
    return try JSONSerialization.data(withJSONObject: answer, options: [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func key(_ city: String) -> String {
    city.prefix { $0 != "," }.trimmingCharacters(in: .whitespaces).lowercased()
  }
}
