import Foundation
import Nightjar

/// What the probe shows: how often a button was pressed, what was typed, and what it has downloaded.
final class ProbeScreen: HTMLViewController {
  /// Where what was downloaded stands.
  var diary: Diary?
  private var count = 0
  private var note = ""
  /// Markup that it is told to show, as it is.
  private var markup = ""

  override func html() -> HTML {
    let lines = diary?.lines() ?? []
    let films = lines.filter { $0.call == "didFinishDownloadingTo" }.compactMap(\.name)
    let state = UIApplication.shared.applicationState == .background ? "background" : "foreground"
    return """
      <p id='fetches'>fetched \(lines.count { $0.call == "fetched" })</p>
      <p id='count'>count \(count)</p><p id='note'>\(note)</p><p id='state'>\(state)</p>
      <ul>\(films.map { "<li>\($0)</li>" as HTML })</ul>
      <button data-action='more'>More</button>
      <form data-action='write'><input name='note'><button>Write</button></form>
      \(HTML(markup: markup))
      """
  }

  override func perform(_ action: String, fields: [String: String]) {
    switch action {
    case "more": count += 1
    case "write": note = fields["note"] ?? ""
    case "draw": markup = fields["markup"] ?? ""
    case "flood": note = String(repeating: "x", count: 300_000)
    default: return
    }
    setNeedsDisplay()
  }

  override func encodeRestorableState(with coder: NSCoder) {
    coder.encode(count, forKey: "count")
    coder.encode(note, forKey: "note")
  }

  override func decodeRestorableState(with coder: NSCoder) {
    count = coder.decodeInteger(forKey: "count")
    note = coder.decodeObject(forKey: "note") as? String ?? ""
  }
}
