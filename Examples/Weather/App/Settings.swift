import Foundation
import WeatherModel

/// What a person sets: kept in the app's `UserDefaults`, else as the bundle's Info.plist has it.
enum Settings {
  /// The service and the city. `WeatherAddress` is the one setting to change for the real service and its key.
  static var source: WeatherSource {
    get { WeatherSource(address: text("WeatherAddress"), city: text("WeatherCity")) }
    set {
      UserDefaults.standard.set(newValue.address, forKey: "WeatherAddress")
      UserDefaults.standard.set(newValue.city, forKey: "WeatherCity")
      UserDefaults.standard.synchronize()
    }
  }

  private static func text(_ name: String) -> String {
    let kept = UserDefaults.standard.string(forKey: name).flatMap { $0.isEmpty ? nil : $0 }
    return kept ?? Bundle.main.object(forInfoDictionaryKey: name) as? String ?? ""
  }

  /// Takes orders such as `address=http://127.0.0.1:8087/data/2.5/weather` and `city=Lisbon` from the command line.
  static func take(_ orders: some Sequence<String>) {
    for order in orders {
      let parts = order.split(separator: "=", maxSplits: 1).map(String.init)
      switch (parts.first, parts.count) {
      case ("address", 2): source.address = parts[1]
      case ("city", 2): source.city = parts[1]
      default: print("“\(order)” is no order; they are address=URL and city=NAME")
      }
    }
  }
}
