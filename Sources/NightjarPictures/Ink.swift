/// A colour that means something, on light paper and on dark.
///
/// Beyond their colours, dots differ in shape and lines in how they are broken, so that no one has to tell colours apart.
public enum Ink: String, CaseIterable, Hashable, Sendable {
  /// The colours for data, told apart by most people with colour blindness too (after Okabe and Ito).
  case blue, orange, green, purple, red, sky
  /// For data of no importance.
  case grey
  /// Words, words of less importance, and lines of the frame.
  case text, faint, rule

  /// Its colour on light paper.
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

  /// Its colour on dark paper.
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

  /// How its lines are broken: dashes and gaps; empty for one that is not.
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

  /// The name by which a style sheet knows what is filled with it.
  var name: String { "nj-\(rawValue)" }
  /// The name by which a style sheet knows what is drawn in lines of it.
  var strokeName: String { "nj-\(rawValue)-line" }

  static let paper = "#ffffff"
  static let darkPaper = "#14171a"

  /// What makes the colours follow the screen. A ``Picture/svg`` has it within.
  public static let styleSheet: String = {
    let colours = allCases.map { ".\($0.name){fill:\($0.dark)}.\($0.strokeName){stroke:\($0.dark)}" }
    return "@media (prefers-color-scheme:dark){.nj-paper{fill:\(darkPaper)}\(colours.joined())}"
  }()
}
