import FoundationEssentials
import Glibc

/// What a bundle declares to do in the background, read and changed in its `Info.plist`, as Xcode's Capabilities tab
/// does.
public struct Capabilities: Sendable {
  /// The folder.
  public let bundle: String
  /// What it declares now, in the order given.
  public private(set) var modes: [BackgroundMode]

  private var file: String { bundle + "/Info.plist" }
  private static let key = "UIBackgroundModes"
  private static let bytesMax = 1 << 20

  /// Reads and checks a bundle.
  ///
  /// - Throws: `badBundle` with the key at fault, if one is, saying what to do.
  public init(ofBundle path: String) throws(PlatformError) {
    let found = try AppBundle(at: path)
    (bundle, modes) = (found.path, found.backgroundModes)
  }

  /// Adds and removes declared modes. The file keeps its form, XML or binary, and the values of all other keys, and is
  /// replaced whole. Nothing is written if nothing changes.
  ///
  /// - Throws: `badBundle` or `system`; then the file is what it was.
  public mutating func change(adding added: [BackgroundMode], removing removed: [BackgroundMode]) throws(PlatformError)
  {
    var wanted = modes.filter { !removed.contains($0) }
    for mode in added where !wanted.contains(mode) { wanted.append(mode) }
    guard wanted != modes else { return }
    try write(wanted)
    modes = wanted
  }

  private func write(_ modes: [BackgroundMode]) throws(PlatformError) {
    guard let bytes = Disk.bytes(of: file, max: Self.bytesMax) else { throw .system("cannot read \(file)") }
    try PropertyListNesting.check(bytes, at: file)
    var format = PropertyListDecoder.PropertyListFormat.xml
    do {
      let root = try PropertyListDecoder().decode(PropertyListValue.self, from: Data(bytes), format: &format)
      guard case .table(var table) = root else { throw PlatformError(.badBundle(key: nil), "\(file) is no dictionary") }
      table[Self.key] = modes.isEmpty ? nil : .list(modes.map { .text($0.rawValue) })
      let encoder = PropertyListEncoder()
      encoder.outputFormat = format == .binary ? .binary : .xml
      try put([UInt8](encoder.encode(PropertyListValue.table(table))))
    } catch let error as PlatformError {
      throw error
    } catch {
      throw PlatformError(.badBundle(key: nil), "\(file) cannot be written anew: \(error)")
    }
  }

  /// Puts the file in place by one rename, with the access that it had.
  private func put(_ bytes: [UInt8]) throws(PlatformError) {
    let draft = bundle + "/.new-" + Disk.randomName(bytes: 8)
    let mode = Disk.status(of: file).map { $0.st_mode & 0o777 } ?? 0o644
    guard let new = Descriptor.opened(draft, O_WRONLY | O_CREAT | O_EXCL, mode: mode), Disk.write(bytes, to: new),
      fsync(new.number) == 0, rename(draft, file) == 0
    else {
      let error = PlatformError.system("cannot write \(file)")
      unlink(draft)
      throw error
    }
    try Disk.sync(folder: bundle)
  }
}

extension BackgroundMode {
  /// What it allows, in one sentence.
  public var sentence: String {
    switch self {
    case .fetch: "It may be launched now and then to fetch new content."
    case .processing: "It may be launched for minutes of upkeep while nobody uses the device."
    case .audio, .location, .voip, .newsstandContent, .externalAccessory, .bluetoothCentral, .bluetoothPeripheral,
      .remoteNotification:
      "It is kept as declared, and allows nothing yet."
    }
  }

  /// - Throws: `badBundle`, naming the modes that there are.
  public init(named name: String) throws(PlatformError) {
    guard let mode = BackgroundMode(rawValue: name) else {
      let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw PlatformError(
        .badBundle(key: "UIBackgroundModes"), "there is no background mode '\(name)'; there are \(known)")
    }
    self = mode
  }
}
