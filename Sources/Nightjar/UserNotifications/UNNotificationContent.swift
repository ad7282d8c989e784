public import Foundation

/// How much a notification matters (Apple's `UNNotificationInterruptionLevel`). Kept, but all are shown alike.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
  /// It need not be noticed.
  case passive
  /// The usual level.
  case active
  /// It should be seen now.
  case timeSensitive
  /// It must be seen now.
  case critical
}

/// What a notification says (Apple's `UNNotificationContent`). Create a ``UNMutableNotificationContent``.
///
/// There are no attachments here.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
  /// What the content says beside the app's own data.
  struct Values: Codable, Hashable, Sendable {
    var title = ""
    var subtitle = ""
    var body = ""
    var badge: Int?
    var sound: String?
    var category = ""
    var thread = ""
    var target: String?
    var launchImage = ""
    var level = UNNotificationInterruptionLevel.active.rawValue
    var relevance = 0.0
  }

  var values = Values()
  var info: [AnyHashable: Any] = [:]

  public override init() { super.init() }

  /// The first line above the text.
  open var title: String { values.title }
  /// The second line above the text.
  open var subtitle: String { values.subtitle }
  /// The text. Without one, the lines above it are shown as the text; without those either, nothing is shown.
  open var body: String { values.body }
  /// The number on the app's icon from then on; nil and 0 leave it unchanged.
  open var badge: NSNumber? { values.badge.map { NSNumber(value: $0) } }
  /// The sound; none if nil.
  open var sound: UNNotificationSound? { values.sound.map { UNNotificationSound($0) } }
  /// The app's own data: property list types, with strings as keys.
  open var userInfo: [AnyHashable: Any] { info }
  /// The category. Kept, but its actions are not shown: the only action opens the app.
  open var categoryIdentifier: String { values.category }
  /// The group to which it belongs. Kept, but each is shown by itself.
  open var threadIdentifier: String { values.thread }
  /// The window that is to come forward. Kept but not used.
  open var targetContentIdentifier: String? { values.target }
  /// The launch image. Kept but not shown: there is no picture while an app starts.
  open var launchImageName: String { values.launchImage }
  /// How much it matters. Kept, but all are shown alike.
  open var interruptionLevel: UNNotificationInterruptionLevel {
    UNNotificationInterruptionLevel(rawValue: values.level) ?? .active
  }
  /// Its weight in a summary, from 0 to 1. Kept but not used: there are no summaries.
  open var relevanceScore: Double { values.relevance }

  /// Returns a copy that cannot be changed.
  public func copy(with zone: NSZone? = nil) -> Any { fill(UNNotificationContent()) }
  public func mutableCopy(with zone: NSZone? = nil) -> Any { fill(UNMutableNotificationContent()) }

  private func fill(_ copy: UNNotificationContent) -> UNNotificationContent {
    (copy.values, copy.info) = (values, info)
    return copy
  }

  open class var supportsSecureCoding: Bool { true }

  /// Creates the content from an archive; nil if the archive cannot be read.
  public required init?(coder: NSCoder) {
    super.init()
    var info = NoticeInfo(coder.decodeObject(of: NSString.self, forKey: Self.archiveKey).map { "\($0)" })
    guard let values = info.take(Values.self, at: Self.archiveKey) else { return nil }
    (self.values, self.info) = (values, info.entries)
  }

  open func encode(with coder: NSCoder) {
    var info = NoticeInfo(self.info)
    info.put(values, at: Self.archiveKey)
    coder.encode(info.text as NSString?, forKey: Self.archiveKey)
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationContent else { return false }
    return other.values == values && NoticeInfo(other.info).text == NoticeInfo(info).text
  }

  open override var hash: Int { values.hashValue }

  private static let archiveKey = "dev.nightjar.content"
}

/// What a notification is to say (Apple's `UNMutableNotificationContent`).
open class UNMutableNotificationContent: UNNotificationContent {
  open override var title: String {
    get { values.title }
    set { values.title = newValue }
  }
  open override var subtitle: String {
    get { values.subtitle }
    set { values.subtitle = newValue }
  }
  open override var body: String {
    get { values.body }
    set { values.body = newValue }
  }
  open override var badge: NSNumber? {
    get { super.badge }
    set { values.badge = newValue?.intValue }
  }
  open override var sound: UNNotificationSound? {
    get { super.sound }
    set { values.sound = newValue?.name }
  }
  open override var userInfo: [AnyHashable: Any] {
    get { info }
    set { info = newValue }
  }
  open override var categoryIdentifier: String {
    get { values.category }
    set { values.category = newValue }
  }
  open override var threadIdentifier: String {
    get { values.thread }
    set { values.thread = newValue }
  }
  open override var targetContentIdentifier: String? {
    get { values.target }
    set { values.target = newValue }
  }
  open override var launchImageName: String {
    get { values.launchImage }
    set { values.launchImage = newValue }
  }
  open override var interruptionLevel: UNNotificationInterruptionLevel {
    get { super.interruptionLevel }
    set { values.level = newValue.rawValue }
  }
  open override var relevanceScore: Double {
    get { values.relevance }
    set { values.relevance = newValue }
  }
}
