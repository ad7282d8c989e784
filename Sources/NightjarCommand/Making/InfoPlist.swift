/// An `Info.plist` for an app without one: the keys that installation requires, and its version.
struct InfoPlist: Hashable, Sendable {
  let name: String
  let identifier: String
  /// The background modes that it declares (`UIBackgroundModes`).
  var modes: [String] = []

  /// The property list in XML. Names and identifiers were checked and need no escaping.
  var text: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>CFBundleIdentifier</key>
    \t<string>\(identifier)</string>
    \t<key>CFBundleExecutable</key>
    \t<string>\(name)</string>
    \t<key>CFBundleDisplayName</key>
    \t<string>\(name)</string>
    \t<key>CFBundleShortVersionString</key>
    \t<string>1.0</string>\(background)
    </dict>
    </plist>

    """
  }

  private var background: String {
    guard !modes.isEmpty else { return "" }
    let values = modes.map { "\t\t<string>\($0)</string>\n" }.joined()
    return "\n\t<key>UIBackgroundModes</key>\n\t<array>\n\(values)\t</array>"
  }
}
