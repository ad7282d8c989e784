import Foundation

/// A number of bytes, to a tenth of a mebibyte.
func bytes(_ count: Int64) -> String { String(format: "%.1f MiB", Double(count) / 1_048_576) }

/// A time, to a tenth of a second, or to a thousandth if it is short.
func seconds(_ duration: Duration) -> String {
  String(format: duration < .seconds(2) ? "%.3f s" : "%.1f s", duration / .seconds(1))
}

/// A moment of the story, to a tenth of a second, in a column of its own.
func moment(_ duration: Duration) -> String { String(format: "%6.1f s", duration / .seconds(1)) }

/// How many times as much.
func ratio(_ much: Double, to less: Double) -> String { String(format: "×%.2f", less > 0 ? much / less : 0) }

extension String {
  /// At least so wide, with the text at the left or at the right.
  func padded(_ columns: Int, right: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, columns - count))
    return right ? space + self : self + space
  }
}
