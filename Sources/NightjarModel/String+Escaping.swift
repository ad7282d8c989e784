extension String {
  /// What others wrote, made fit for a terminal or a log.
  ///
  /// Nothing in it can move the cursor, colour the screen, turn the writing direction or begin a new line: control and
  /// formatting characters are shown as `\u{1b}`. Only the joiner inside emoji is let through, and what is allowed
  /// besides.
  public init(escaping raw: some StringProtocol, except isAllowed: (Unicode.Scalar) -> Bool = { _ in false }) {
    var text = UnicodeScalarView()
    for scalar in raw.unicodeScalars {
      if scalar.isActedOn, !isAllowed(scalar) {
        text.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    self.init(text)
  }
}

extension Unicode.Scalar {
  /// Whether a terminal would act on this rather than show it.
  public var isActedOn: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
    case .format: self != "\u{200d}"
    default: false
    }
  }
}
