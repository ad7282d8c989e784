/// One cell of a screen.
public struct Cell: Hashable, Sendable {
  /// Its content: one character with its combining marks. Empty for the right half of a wide character.
  public var text: String
  /// How it looks.
  public var style: Style

  /// A cell; by default an empty one.
  public init(text: String = " ", style: Style = Style()) { (self.text, self.style) = (text, style) }

  /// Whether it is the right half of a wide character.
  public var isRightHalf: Bool { text.isEmpty }
}

/// How a character looks (ECMA-48, 8.3.117).
public struct Style: Hashable, Sendable {
  /// The colour of the character, and of what is behind it.
  public var (foreground, background) = (Color.standard, Color.standard)
  /// Brighter or darker than usual.
  public var (isBold, isFaint) = (false, false)
  /// Slanted, underlined, struck out.
  public var (isItalic, isUnderlined, isStruck) = (false, false, false)
  /// With its colours swapped, or invisible.
  public var (isInverse, isHidden) = (false, false)

  /// The default style.
  public init() {}

  /// The style of erased cells: only the background colour remains.
  var erased: Style {
    var style = Style()
    style.background = background
    return style
  }
}

/// A colour.
public enum Color: Hashable, Sendable {
  /// The screen's default.
  case standard
  /// One of xterm's 256.
  case indexed(UInt8)
  /// By red, green and blue.
  case mixed(UInt8, UInt8, UInt8)

  /// Red, green and blue; nil for the standard colour.
  public var components: (red: Int, green: Int, blue: Int)? {
    switch self {
    case .standard: nil
    case .mixed(let red, let green, let blue): (Int(red), Int(green), Int(blue))
    case .indexed(let index): Self.components(ofIndex: Int(index))
    }
  }

  /// The sixteen named colours, a cube of 6 × 6 × 6, and 24 greys.
  private static func components(ofIndex index: Int) -> (red: Int, green: Int, blue: Int) {
    if index < 16 { return named[index] }
    if index >= 232 {
      let grey = 8 + (index - 232) * 10
      return (grey, grey, grey)
    }
    let step = [0, 95, 135, 175, 215, 255]
    let place = index - 16
    return (step[place / 36], step[place / 6 % 6], step[place % 6])
  }

  private static let named: [(red: Int, green: Int, blue: Int)] = [
    (0, 0, 0), (205, 49, 49), (13, 148, 81), (158, 124, 0), (36, 114, 200), (168, 63, 168), (14, 138, 166),
    (204, 204, 204), (102, 102, 102), (241, 76, 76), (35, 209, 139), (229, 190, 60), (59, 142, 234), (214, 112, 214),
    (41, 184, 219), (255, 255, 255),
  ]
}
