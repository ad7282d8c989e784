import Foundation
import Nightjar
import WeatherModel

/// What Weather shows: the city, how warm it is there, and when that was fetched.
final class Page: HTMLViewController {
  private let station: Station
  private var isSettingUp = false

  init(station: Station) {
    self.station = station
    super.init()
    (title, restorationIdentifier) = ("Weather", "page")
    station.changed = { [weak self] in self?.setNeedsDisplay() }
  }

  required init() { fatalError("a page needs its station") }

  override func html() -> HTML {
    let logbook = station.logbook
    let reading = logbook.city == Settings.source.city ? logbook.reading : nil
    return """
      <style>\(HTML(markup: PageStyle.text))</style>
      <main class='\(reading.map(scene) ?? "unknown")'>
      \(reading.map(weather) ?? "<h1>\(Settings.source.city)</h1><p class='none'>No weather yet.</p>")
      \(trouble(logbook.failure))
      <footer><p>\(moment(logbook, reading))</p>
      <button data-action='refresh' \(station.isFetching ? "disabled" : "")>\(station.isFetching ? "Fetching…" : "Refresh")</button>
      <button data-action='set-up' aria-expanded='\(isSettingUp)'>Settings</button></footer>
      \(isSettingUp ? settings : "")
      </main>
      """
  }

  override func perform(_ action: String, fields: [String: String]) {
    switch action {
    case "refresh": break
    case "set-up":
      isSettingUp.toggle()
      return setNeedsDisplay()
    case "keep":
      Settings.source = WeatherSource(address: fields["address"] ?? "", city: fields["city"] ?? "")
      isSettingUp = false
    default: return
    }
    Task { await station.refresh(inBackground: false) }
  }

  /// By what the sky is painted.
  private func scene(_ reading: Reading) -> String {
    "\(reading.sky.rawValue) \(reading.isDay(at: reading.measured) ? "day" : "night")"
  }

  private func weather(_ reading: Reading) -> HTML {
    """
    <h1>\(reading.city)</h1><p class='words'>\(reading.description ?? "")</p>
    <p class='degrees'>\(reading.temperature.words)<small>C</small></p>
    <dl>\(facts(reading).map { name, value in "<div><dt>\(name)</dt><dd>\(value)</dd></div>" as HTML })</dl>
    """
  }

  /// What is known besides, by name.
  private func facts(_ reading: Reading) -> [(String, String)] {
    let facts: [(String, String?)] = [
      ("Feels like", reading.feelsLike.map { "\($0.words)C" }), ("Humidity", reading.humidity.map { "\($0) %" }),
      ("High", reading.high.map { "\($0.words)C" }), ("Low", reading.low.map { "\($0.words)C" }),
      ("Sunrise", reading.sunrise.map(reading.clock)), ("Sunset", reading.sunset.map(reading.clock)),
      ("Pressure", reading.pressure.map { "\($0) hPa" }), ("Wind", reading.wind?.words),
    ]
    return facts.compactMap { name, value in value.map { (name, $0) } }
  }

  private func trouble(_ failure: Logbook.Failure?) -> HTML {
    guard let failure else { return "" }
    return "<p class='trouble' role='alert'>\(time(failure.at)): \(failure.trouble.words)</p>"
  }

  private func moment(_ logbook: Logbook, _ reading: Reading?) -> HTML {
    guard let fetched = logbook.fetched, let reading else { return "Not fetched yet." }
    return """
      Fetched at <time id='fetched'>\(time(fetched))</time>\(logbook.wasInBackground ? ", in the background" : ""); \
      measured at \(reading.clock(reading.measured)) in \(reading.city).
      """
  }

  /// A moment by this device's clocks: the time of today, with its day if it was another.
  private func time(_ moment: Date) -> String {
    let isToday = Calendar.current.isDateInToday(moment)
    return moment.formatted(date: isToday ? .omitted : .abbreviated, time: .standard)
  }

  private var settings: HTML {
    """
    <form data-action='keep'>
    <label>City<input name='city' value='\(Settings.source.city)' maxlength='100' required></label>
    <label>Address of the service, with its key<input name='address' type='url' value='\(Settings.source.address)' required></label>
    <button>Keep</button></form>
    """
  }
}
