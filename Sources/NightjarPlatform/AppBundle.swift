import Glibc
public import NightjarModel

/// An app as a folder: `Name.app` with an `Info.plist` and an executable.
///
/// A value of this type was a valid bundle when it was read.
public struct AppBundle: Hashable, Sendable {
  /// The absolute path of the folder.
  public private(set) var path: String
  /// `CFBundleIdentifier`.
  public let id: AppID
  /// `CFBundleDisplayName`, else `CFBundleName`, else the folder's name without `.app`.
  public let displayName: String
  /// The absolute path of what is run (`CFBundleExecutable`).
  public private(set) var executable: String
  /// The absolute path of its icon (`CFBundleIconFile`, with or without `.png`), if it names one.
  public private(set) var icon: String?
  /// `UIBackgroundModes`, in the order given.
  public let backgroundModes: [BackgroundMode]
  /// `UIApplicationExitsOnSuspend`: it is ended where others are suspended.
  public let exitsOnSuspend: Bool
  /// `com.apple.developer.default-data-protection` is `NSFileProtectionComplete`: what it shows is hidden while the
  /// device is locked.
  public let isProtected: Bool

  /// Reads and checks a bundle.
  ///
  /// - Throws: `badBundle` with the key at fault, if one is, saying what to do.
  public init(at path: String) throws(PlatformError) {
    let path = try Self.folder(path)
    let info = try BundleInfo.read(inBundle: path)
    self.path = path
    id = try Self.identifier(info.CFBundleIdentifier)
    displayName = try Self.displayName(info, folder: path)
    executable = try Self.executable(info.CFBundleExecutable, in: path)
    icon = try info.CFBundleIconFile.map { name throws(PlatformError) in try Self.icon(name, in: path) }
    backgroundModes = try Self.modes(info.UIBackgroundModes ?? [])
    exitsOnSuspend = info.UIApplicationExitsOnSuspend ?? false
    isProtected = info.dataProtection == "NSFileProtectionComplete"
  }

  /// The app as the core knows it.
  public var app: InstalledApp {
    let kind = InstalledApp.Kind.bundle(path: path, executable: executable)
    return InstalledApp(
      id: id, displayName: displayName, kind: kind, exitsOnSuspend: exitsOnSuspend, isProtected: isProtected,
      modes: backgroundModes.map(\.rawValue))
  }

  /// The same bundle after it was moved into another folder.
  func moved(into folder: String) -> AppBundle {
    let length = path.count
    var bundle = self
    bundle.path = folder + "/" + Disk.name(of: path)
    bundle.executable = bundle.path + executable.dropFirst(length)
    bundle.icon = icon.map { bundle.path + $0.dropFirst(length) }
    return bundle
  }

  /// Checks what an app must be when it is first installed; one that is installed already stays.
  func checkMayBeNew() throws(PlatformError) {
    guard !AppID.mayBeTaken(id.rawValue) else { return }
    let key = "CFBundleIdentifier"
    throw Self.bad(key, "\(key) is \"\(id)\", a number, as transfers have; use at least one character that is no digit")
  }

  private static func folder(_ path: String) throws(PlatformError) -> String {
    guard !path.utf8.contains(0) else { throw bad(nil, "a path has no NUL in it, as '\(path)' has") }
    guard let path = Disk.resolved(path) else {
      throw bad(nil, "there is no bundle at \(path): \(PlatformError.words(for: errno))")
    }
    guard let status = Disk.status(of: path), Disk.isFolder(status) else { throw bad(nil, "\(path) is not a folder") }
    guard path.hasSuffix(".app"), Disk.name(of: path).utf8.count > 4 else {
      throw bad(nil, "\(path) is not called Name.app; rename it")
    }
    return path
  }

  private static func identifier(_ text: String?) throws(PlatformError) -> AppID {
    let key = "CFBundleIdentifier"
    guard let text else { throw bad(key, "\(key) is missing; name the app in reverse-domain form, com.example.Name") }
    guard AppID.isValid(text) else {
      throw bad(
        key, "\(key) is \"\(text)\"; use 1 to 128 letters, digits, '.', '-' and '_', beginning with a letter or digit")
    }
    guard AppID(text) != .commandLine else { throw bad(key, "\(key) \(text) is Nightjar's own; choose another") }
    return AppID(text)
  }

  private static func displayName(_ info: BundleInfo, folder: String) throws(PlatformError) -> String {
    let name = info.CFBundleDisplayName ?? info.CFBundleName ?? String(Disk.name(of: folder).dropLast(4))
    let isReadable = name.unicodeScalars.contains(where: \.isSeen) && !name.unicodeScalars.contains(where: \.misleads)
    guard name.utf8.count <= 256, isReadable else {
      let key = info.CFBundleDisplayName == nil ? "CFBundleName" : "CFBundleDisplayName"
      throw bad(key, "\(key) must be 1 to 256 bytes of text that can be seen, without controls of its direction")
    }
    return name
  }

  private static func executable(_ name: String?, in folder: String) throws(PlatformError) -> String {
    let key = "CFBundleExecutable"
    guard let name else { throw bad(key, "\(key) is missing; name the program in the bundle that is to be run") }
    let path = try inside(folder, name, key: key)
    guard access(path, X_OK) == 0 else { throw bad(key, "\(key): \(path) is not executable; chmod +x it") }
    return path
  }

  private static func icon(_ name: String, in folder: String) throws(PlatformError) -> String {
    let key = "CFBundleIconFile"
    if Disk.status(of: folder + "/" + name) == nil, Disk.status(of: folder + "/" + name + ".png") != nil {
      return try inside(folder, name + ".png", key: key)
    }
    return try inside(folder, name, key: key)
  }

  /// A regular file in the bundle that is reached without `..` and without a symbolic link.
  private static func inside(_ folder: String, _ name: String, key: String) throws(PlatformError) -> String {
    let parts = name.split(ascii: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }), !name.utf8.contains(0) else {
      throw bad(key, "\(key) is \"\(name)\"; give a file's name relative to the bundle, without '..'")
    }
    var path = folder
    for part in parts {
      path += "/" + part
      guard let status = Disk.status(of: path) else { throw bad(key, "\(key) is \"\(name)\", but there is no \(path)") }
      if Disk.isLink(status) { throw bad(key, "\(key): \(path) is a symbolic link; put the file itself there") }
    }
    guard let status = Disk.status(of: path), Disk.isFile(status) else {
      throw bad(key, "\(key): \(path) is not a regular file")
    }
    return path
  }

  private static func modes(_ names: [String]) throws(PlatformError) -> [BackgroundMode] {
    var modes: [BackgroundMode] = []
    for name in names {
      guard let mode = BackgroundMode(rawValue: name) else {
        let known = BackgroundMode.allCases.map(\.rawValue).joined(separator: ", ")
        throw bad("UIBackgroundModes", "UIBackgroundModes has \"\(name)\", which means nothing here; known: \(known)")
      }
      if !modes.contains(mode) { modes.append(mode) }
    }
    return modes
  }

  private static func bad(_ key: String?, _ detail: String) -> PlatformError {
    PlatformError(.badBundle(key: key), detail)
  }
}

extension Unicode.Scalar {
  /// Whether it is visible by itself.
  fileprivate var isSeen: Bool {
    switch properties.generalCategory {
    case .control, .format, .nonspacingMark, .spacingMark, .enclosingMark: false
    default: !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether it is a control character, or changes the direction of the text that follows. Marks that only affect their
  /// neighbours, such as U+200E, occur in honest names.
  fileprivate var misleads: Bool {
    switch value {
    case ..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
