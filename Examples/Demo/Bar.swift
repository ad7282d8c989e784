/// How far a transfer is, drawn: what came before the daemon died as `=`, what came after as `#`.
struct Bar {
  var count: Int64
  var of: Int64
  /// Where the transfer went on after the daemon had died; nil while it has not.
  var resumedAt: Int64?

  func text(columns: Int) -> String {
    let inner = max(1, columns - 2)
    let full = cells(count, inner)
    let old = min(full, resumedAt.map { cells($0, inner) } ?? full)
    return "[" + String(repeating: "=", count: old) + String(repeating: "#", count: full - old)
      + String(repeating: " ", count: inner - full) + "]"
  }

  private func cells(_ part: Int64, _ inner: Int) -> Int {
    of > 0 ? min(inner, max(0, Int(Double(part) / Double(of) * Double(inner)))) : 0
  }
}
