import Foundation
import Nightjar
import VideoFarmKit

/// What the app shows: its movies, how far each has come, and what a person can do about it.
final class MovieList: HTMLViewController {
  /// The app behind the view; nil if its files could not be opened.
  var farm: VideoFarm?
  /// Bytes of what is on its way, in this life of the app.
  private var moved: [Job: Int64] = [:]

  /// Something has happened.
  func take(_ news: News) {
    if case .progressed(let job, let bytes, _) = news { moved[job] = bytes }
    setNeedsDisplay()
  }

  override func html() -> HTML {
    let library = farm?.client.shelf.library ?? Library()
    let movies = library.videos.sorted { ($0.value.title, $0.key) < ($1.value.title, $1.key) }
    return """
      <style>\(Self.style)</style>
      <header><h1>VideoFarm</h1>\(Self.orders(library))</header>
      \(movies.isEmpty ? Self.nothing : "<ul>\(rows(movies))</ul>")
      """
  }

  override func perform(_ action: String, fields: [String: String]) {
    let words = action.split(separator: " ").map(String.init)
    let server = fields["server"].flatMap { $0.isEmpty ? nil : "VIDEOFARM_SERVER=\($0)" }
    farm?.carryOut(Orders([server].compactMap(\.self) + words, environment: [:]))
    setNeedsDisplay()
  }

  /// A view has 256 KiB at most: the first few have their pictures, and the last may have no row.
  private func rows(_ movies: [(key: String, value: Library.Entry)]) -> [HTML] {
    var (rows, size) = ([HTML](), 0)
    for (id, entry) in movies {
      let isPictured = rows.count < 8 && size < Self.rowsSizeMax / 2
      let row = row(id, entry, isPictured ? picture(id) : Self.noPicture)
      size += row.markup.utf8.count
      guard size <= Self.rowsSizeMax else { return rows + ["<li><p>and \(movies.count - rows.count) more</p></li>"] }
      rows.append(row)
    }
    return rows
  }

  private static let rowsSizeMax = 200 << 10

  private func row(_ id: String, _ entry: Library.Entry, _ picture: HTML) -> HTML {
    let file = entry.movie ?? entry.upload
    return """
      <li class='\(file?.state.rawValue ?? "wanted")'>\(picture)<div><h2>\(entry.title)</h2>
      <p>\(words(id, entry))</p>\(bar(id, entry))</div>\(button(id, entry))</li>
      """
  }

  private func picture(_ id: String) -> HTML {
    guard let farm, let data = try? Data(contentsOf: farm.client.shelf.place(of: .thumbnail(id))), data.count < 20_000
    else { return Self.noPicture }
    return "<img class='picture' alt='' src='data:image/png;base64,\(data.base64EncodedString())'>"
  }

  private func bar(_ id: String, _ entry: Library.Entry) -> HTML {
    guard let size = entry.size, entry.movie?.state == .moving else { return "" }
    return "<progress value='\(moved[.movie(id)] ?? 0)' max='\(size)'></progress>"
  }

  private func words(_ id: String, _ entry: Library.Entry) -> String {
    let size = entry.size.map { ByteCountFormatter.string(fromByteCount: Int64($0), countStyle: .file) } ?? ""
    switch (entry.movie ?? entry.upload)?.state {
    case .there: return "\(size) · here"
    case .moving: return "\(size) · on its way"
    case .paused: return "\(size) · paused"
    case .failed: return (entry.movie ?? entry.upload)?.problem ?? "failed"
    case .wanted, nil: return "\(size) · to come"
    }
  }

  /// What moves can be paused if it is a download.
  private func button(_ id: String, _ entry: Library.Entry) -> HTML {
    switch (entry.movie ?? entry.upload)?.state {
    case .moving: entry.movie == nil ? "" : "<button data-action='pause \(id)'>Pause</button>"
    case .paused, .failed: "<button data-action='resume \(id)'>Resume</button>"
    case .there, .wanted, nil: ""
    }
  }

  private static func orders(_ library: Library) -> HTML {
    """
    <form data-action='download-all'><input name='server' type='url' aria-label='Server' placeholder='http://127.0.0.1:8080'
    value='\(library.server ?? "")'><button>Download all</button></form>
    """
  }

  private static let noPicture: HTML = "<span class='picture'></span>"
  private static let nothing: HTML =
    "<p class='nothing'>No movies yet. Name a farm's server, and download what it has.</p>"

  private static let style = HTML(
    markup: """
      body{font:15px system-ui,sans-serif;margin:0;color:#1c1c1e;background:#f2f2f7}
      header{position:sticky;top:0;padding:16px;background:#fff;border-bottom:1px solid #d1d1d6}
      h1{margin:0 0 12px;font-size:22px}h2{margin:0;font-size:16px;font-weight:600}
      form{display:flex;gap:8px}input{flex:1;min-width:0;padding:8px;border:1px solid #c7c7cc;border-radius:8px;font:inherit}
      button{padding:8px 12px;border:0;border-radius:8px;background:#0a6cff;color:#fff;font:inherit}
      ul{list-style:none;margin:0;padding:0}li{display:flex;gap:12px;align-items:center;padding:12px 16px;background:#fff;
      border-bottom:1px solid #e5e5ea}li div{flex:1;min-width:0}p{margin:2px 0;color:#6b6b70}progress{width:100%}
      .picture{width:64px;height:40px;border-radius:6px;background:#d1d1d6;object-fit:cover}.nothing{padding:32px 16px}
      .failed p{color:#c4141b}
      @media(prefers-color-scheme:dark){body{background:#000;color:#f2f2f7}header,li{background:#1c1c1e;border-color:#38383a}
      p{color:#aeaeb2}input{background:#2c2c2e;border-color:#48484a;color:inherit}.picture{background:#3a3a3c}}
      """)
}
