import Foundation
import Nightjar

/// What Daybook shows: a line to write on, and the notes.
final class Page: HTMLViewController {
  private let file: URL
  private var book = Daybook()
  /// Why the notes cannot be read. While that is so, nothing is written over them.
  private var damage: String?
  /// Why what a person did last was not kept, and the text that goes back into the field.
  private var (trouble, draft): (String?, String) = (nil, "")
  /// Whether notes that are done with are left out; a choice that is restored after the app was ended.
  private var showsOpenOnly = false

  init(file: URL) {
    self.file = file
    do {
      book = try Daybook.open(file)
    } catch {
      damage = "The notes in \(file.path) cannot be read, and are left as they are: \(error.localizedDescription)"
    }
    super.init()
    (title, restorationIdentifier) = ("Daybook", "page")
  }

  required init() { fatalError("a page needs its file") }

  override func html() -> HTML {
    """
    <style>\(HTML(markup: Self.style))</style>
    \(damage.map(notice) ?? content)
    """
  }

  private var content: HTML {
    let shown = book.entries.filter { !showsOpenOnly || !$0.isDone }
    return """
      <header><h1>Daybook</h1><p>\(book.openCount) open, \(book.entries.count) in all</p>
      <button data-action='filter' aria-pressed='\(showsOpenOnly)'>Open only</button></header>
      \(trouble.map(notice) ?? "")
      <form data-action='write'>
      <input name='text' aria-label='New note' placeholder='What is on your mind?' maxlength='2000' required
      value='\(draft)'>
      <button>Write</button></form>
      <ul>\(rows(shown))</ul>
      """
  }

  private static let rowsSizeMax = 200 << 10

  private func notice(_ words: String) -> HTML { "<p class='trouble' role='alert'>\(words)</p>" }

  /// As many notes as there is room for: a view has 256 KiB at most.
  private func rows(_ entries: [Daybook.Entry]) -> [HTML] {
    var (rows, size) = ([HTML](), 0)
    for entry in entries {
      let row = row(entry)
      size += row.markup.utf8.count
      guard size <= Self.rowsSizeMax else {
        return rows + ["<li class='more'>and \(entries.count - rows.count) more</li>"]
      }
      rows.append(row)
    }
    return rows
  }

  private func row(_ entry: Daybook.Entry) -> HTML {
    """
    <li class='\(entry.isDone ? "done" : "open")'>
    <button class='tick' data-action='tick' data-id='\(entry.id)' aria-pressed='\(entry.isDone)' aria-label='Done'></button>
    <div><p>\(entry.text)</p><time>\(entry.written.formatted(date: .abbreviated, time: .shortened))</time></div>
    <button class='remove' data-action='remove' data-id='\(entry.id)' aria-label='Remove'>×</button></li>
    """
  }

  override func perform(_ action: String, fields: [String: String]) {
    let id = fields["id"].flatMap { Int($0) } ?? 0
    switch action {
    case "write": write(fields["text"] ?? "")
    case "tick": change { $0.tick(id) }
    case "remove": change { $0.remove(id) }
    case "filter": showsOpenOnly.toggle()
    default: return
    }
    setNeedsDisplay()
  }

  private func write(_ text: String) {
    if book.isFull {
      trouble = "The book is full; remove a note first."
    } else {
      change { $0.write(text, at: Date()) }
    }
    draft = trouble == nil ? "" : Daybook.cut(text)
  }

  /// Changes the book, if the change can be kept: what is shown is what the next launch finds.
  private func change(_ change: (inout Daybook) -> Void) {
    guard damage == nil else { return }
    var changed = book
    change(&changed)
    do {
      try changed.save(to: file)
      (book, trouble) = (changed, nil)
    } catch { trouble = "This cannot be kept: \(error.localizedDescription)" }
  }

  override func encodeRestorableState(with coder: NSCoder) { coder.encode(showsOpenOnly, forKey: "showsOpenOnly") }

  override func decodeRestorableState(with coder: NSCoder) {
    showsOpenOnly = coder.decodeBool(forKey: "showsOpenOnly")
    setNeedsDisplay()
  }

  private static let style = """
    :root { color-scheme: light; font: 17px/1.4 'Helvetica Neue', Inter, system-ui, 'Liberation Sans', sans-serif; }
    body { margin: 0 auto; max-width: 640px; padding: 28px 20px; color: #22232b; background: #fdfcf8; }
    header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 14px; }
    h1 { margin: 0; font-weight: 200; font-size: 38px; letter-spacing: -.02em; }
    header p { flex: 1; margin: 0; white-space: nowrap; color: #85827a; font-size: 14px; }
    button { font: inherit; border: 0; background: none; color: #b4542a; cursor: pointer; min-height: 36px; }
    header button { padding: 0 14px; border: 1px solid #b4542a; border-radius: 9px; font-size: 14px; }
    header button[aria-pressed=true] { background: #b4542a; color: #fff; }
    form { display: flex; gap: 8px; margin: 18px 0; }
    input { flex: 1; min-width: 0; font: inherit; padding: 11px 14px; border: 1px solid #ddd8ca; border-radius: 12px; background: #fff; }
    ul { margin: 0; padding: 0; list-style: none; }
    li { display: flex; gap: 14px; align-items: center; padding: 13px 0; border-bottom: 1px solid #ece8dc; }
    li div { flex: 1; min-width: 0; overflow-wrap: anywhere; }
    li p { margin: 0; } time { color: #9a968b; font-size: 13px; }
    .tick { flex: none; width: 26px; height: 26px; min-height: 0; border: 1.5px solid #c9c3b2; border-radius: 50%; }
    .done .tick { background: #b4542a; border-color: #b4542a; box-shadow: inset 0 0 0 4px #fdfcf8; }
    .done p { color: #a9a59a; text-decoration: line-through; }
    .more { color: #9a968b; }
    .trouble { padding: 10px 14px; border-radius: 12px; color: #8c1d18; background: #fbe9e7; }
    .remove { flex: none; width: 36px; font-size: 20px; color: #bdb8aa; }
    :focus-visible { outline: 3px solid #b4542a; outline-offset: 2px; }
    """
}
