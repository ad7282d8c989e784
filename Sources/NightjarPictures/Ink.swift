/// A colour with a meaning, on light and on dark backgrounds.
///
/// Dots also differ in shape and lines in their dashes, so that nobody has to distinguish colours.
public enum Ink: String, CaseIterable, Hashable, Sendable {
  /// The colours for data, distinguishable for most people with colour blindness (after Okabe and Ito).
  case blue, orange, green, purple, red, sky
  /// For data of no importance.
  case grey
  /// Text, less important text, and lines of the frame.
  case text, faint, rule

  /// Its colour on a light background.
  var light: String {
    switch self {
    case .blue: "#0060a0"
    case .orange: "#c25e00"
    case .green: "#00785a"
    case .purple: "#9a4a80"
    case .red: "#b3261e"
    case .sky: "#2f8fc4"
    case .grey: "#8a8f98"
    case .text: "#1c2024"
    case .faint: "#5b626b"
    case .rule: "#d5d9de"
    }
  }

  /// Its colour on a dark background.
  var dark: String {
    switch self {
    case .blue: "#62b0ee"
    case .orange: "#f2a65a"
    case .green: "#4cc6a2"
    case .purple: "#d996c2"
    case .red: "#ff8a80"
    case .sky: "#8fd3ff"
    case .grey: "#868e99"
    case .text: "#eceef1"
    case .faint: "#a4abb5"
    case .rule: "#3a4048"
    }
  }

  /// The dashes and gaps of its lines; empty for solid lines.
  var dashes: String {
    switch self {
    case .blue, .text, .rule: ""
    case .orange: "7 3"
    case .green: "2 3"
    case .purple: "9 3 2 3"
    case .red: "4 2"
    case .sky: "12 4"
    case .grey, .faint: "1 3"
    }
  }

  /// The style sheet's class for shapes filled with it.
  var name: String { "nj-\(rawValue)" }
  /// The style sheet's class for lines drawn with it.
  var strokeName: String { "nj-\(rawValue)-line" }

  static let paper = "#ffffff"
  static let darkPaper = "#14171a"

  /// The style sheet that adapts the colours to light and dark screens. A ``Picture/svg`` contains it.
  public static let styleSheet: String = {
    let colours = allCases.map { ".\($0.name){fill:\($0.dark)}.\($0.strokeName){stroke:\($0.dark)}" }
    return "@media (prefers-color-scheme:dark){.nj-paper{fill:\(darkPaper)}\(colours.joined())}"
  }()
}
