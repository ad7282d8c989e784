public import Foundation

/// The name of a sound file (Apple's `UNNotificationSoundName`).
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The sound of a notification (Apple's `UNNotificationSound`): a file of that name in the app's bundle, or the
/// desktop's own sound if there is none.
// Unchecked: its one property never changes.
open class UNNotificationSound: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The name that the daemon is told.
  let name: String

  /// Creates a sound with the name of its file.
  public convenience init(named name: UNNotificationSoundName) { self.init(name.rawValue) }

  /// Creates a sound with the name that the daemon is told.
  init(_ name: String) { self.name = name }

  /// The default sound.
  open class var `default`: UNNotificationSound { UNNotificationSound(UILocalNotificationDefaultSoundName) }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  open class var supportsSecureCoding: Bool { true }

  /// Creates a sound from an archive; nil if the archive cannot be read.
  public required init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
    self.name = "\(name)"
  }

  open func encode(with coder: NSCoder) { coder.encode(name as NSString, forKey: "name") }

  open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationSound)?.name == name }
  open override var hash: Int { name.hashValue }
}
