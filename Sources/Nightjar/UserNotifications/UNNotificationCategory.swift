public import Foundation

/// How notifications of a category would behave (Apple's `UNNotificationCategoryOptions`). They have no effect here.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The app would be told that a person has put a notification away.
  public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1 << 0)
  /// In a car, too.
  public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 1 << 1)
  /// The title would be shown where texts are hidden.
  public static let hiddenPreviewsShowTitle = UNNotificationCategoryOptions(rawValue: 1 << 2)
  /// The subtitle would be shown where texts are hidden.
  public static let hiddenPreviewsShowSubtitle = UNNotificationCategoryOptions(rawValue: 1 << 3)
}

/// A category of notifications with its actions (Apple's `UNNotificationCategory`). The center keeps what the app sets,
/// until the process ends; notifications of the category do not show its actions here.
// Unchecked: its properties never change.
open class UNNotificationCategory: NSObject, NSCopying, @unchecked Sendable {
  /// The name by which notifications refer to the category.
  public let identifier: String
  /// The actions.
  public let actions: [UNNotificationAction]
  /// The identifiers of intents. They have no effect.
  public let intentIdentifiers: [String]
  /// What would be shown where texts are hidden.
  public let hiddenPreviewsBodyPlaceholder: String
  /// The text of a summary of notifications. It has no effect.
  public let categorySummaryFormat: String
  /// How notifications of the category would behave.
  public let options: UNNotificationCategoryOptions

  /// Creates a category with actions.
  public convenience init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    options: UNNotificationCategoryOptions = []
  ) {
    self.init(
      identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
      hiddenPreviewsBodyPlaceholder: nil, categorySummaryFormat: nil, options: options)
  }

  /// Creates a category with actions, and a text for where texts are hidden.
  public convenience init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    hiddenPreviewsBodyPlaceholder: String, options: UNNotificationCategoryOptions = []
  ) {
    self.init(
      identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
      hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder, categorySummaryFormat: nil, options: options)
  }

  /// Creates a category with actions, and texts for where texts are hidden and for summaries.
  public init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    hiddenPreviewsBodyPlaceholder: String?, categorySummaryFormat: String?,
    options: UNNotificationCategoryOptions = []
  ) {
    (self.identifier, self.actions, self.intentIdentifiers) = (identifier, actions, intentIdentifiers)
    self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder ?? ""
    (self.categorySummaryFormat, self.options) = (categorySummaryFormat ?? "", options)
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationCategory else { return false }
    return other.identifier == identifier && other.actions == actions && other.options == options
      && other.intentIdentifiers == intentIdentifiers && other.categorySummaryFormat == categorySummaryFormat
      && other.hiddenPreviewsBodyPlaceholder == hiddenPreviewsBodyPlaceholder
  }

  open override var hash: Int { identifier.hashValue }
}
