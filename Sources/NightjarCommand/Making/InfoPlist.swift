/// An `Info.plist` for an app without one: the keys that installation requires, and its version.
struct InfoPlist: Hashable, Sendable {
  let name: String
  let identifier: String
  /// The background modes that it declares (`UIBackgroundModes`).
  var modes: [String] = []

  /// The property list in XML. The name may be that of any product of a package.
  var text: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>CFBundleIdentifier</key>
    \t<string>\(identifier.escapedForXML)</string>
    \t<key>CFBundleExecutable</key>
    \t<string>\(name.escapedForXML)</string>
    \t<key>CFBundleDisplayName</key>
    \t<string>\(name.escapedForXML)</string>
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

extension String {
  /// The text as the contents of an element of XML.
  var escapedForXML: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
