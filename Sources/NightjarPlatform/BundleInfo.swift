import FoundationEssentials

/// `Info.plist` as it is written, XML or binary, before anything in it is checked.
struct BundleInfo: Decodable {
  var CFBundleIdentifier: String?
  var CFBundleExecutable: String?
  var CFBundleDisplayName: String?
  var CFBundleName: String?
  var CFBundleIconFile: String?
  var UIBackgroundModes: [String]?
  var UIApplicationExitsOnSuspend: Bool?
  var dataProtection: String?

  private enum CodingKeys: String, CodingKey {
    case CFBundleIdentifier, CFBundleExecutable, CFBundleDisplayName, CFBundleName, CFBundleIconFile, UIBackgroundModes
    case UIApplicationExitsOnSuspend
    case dataProtection = "com.apple.developer.default-data-protection"
  }

  private static let bytesMax = 1 << 20

  /// Reads the `Info.plist` of a bundle.
  static func read(inBundle bundle: String) throws(PlatformError) -> BundleInfo {
    let path = bundle + "/Info.plist"
    guard let bytes = Disk.bytes(of: path, max: bytesMax) else {
      throw bad(nil, "\(path) is missing, unreadable or longer than 1 MiB; an app needs an Info.plist")
    }
    return try BundleInfo(bytes, at: path)
  }

  /// Decodes the bytes of the file at this path.
  init(_ bytes: [UInt8], at path: String) throws(PlatformError) {
    try PropertyListNesting.check(bytes, at: path)
    do {
      self = try PropertyListDecoder().decode(BundleInfo.self, from: Data(bytes))
    } catch DecodingError.typeMismatch(let wanted, let context), DecodingError.valueNotFound(let wanted, let context) {
      guard let key = context.codingPath.first?.stringValue else { throw Self.bad(nil, "\(path) is no dictionary") }
      throw Self.bad(key, "\(key) in \(path) has a value of the wrong type; make it \(Self.words(for: wanted))")
    } catch {
      throw Self.bad(nil, "\(path) is no property list, neither XML nor binary; check it with plutil or plistutil")
    }
  }

  private static func bad(_ key: String?, _ detail: String) -> PlatformError {
    PlatformError(.badBundle(key: key), detail)
  }

  private static func words(for type: any Any.Type) -> String {
    if type == Bool.self { return "true or false" }
    return type == String.self ? "a string" : "an array of strings"
  }
}
