public import Foundation

/// The domain of ``UNError``.
public let UNErrorDomain = "UNErrorDomain"

/// The reason why a notification was not accepted; `localizedDescription` describes it (Apple's `UNError`).
public struct UNError: CustomNSError, Hashable, Sendable {
  /// The codes of ``UNError``. Only ``notificationInvalidNoDate`` and ``badgeInputInvalid`` occur here.
  public enum Code: Int, Sendable {
    /// The app may not notify. Not used: what is scheduled meanwhile is kept, and shown if it is allowed by then.
    case notificationsNotAllowed = 1
    /// The trigger never fires, or fires at times that the daemon cannot keep.
    case notificationInvalidNoDate = 1400
    /// The notification has no content. Not used.
    case notificationInvalidNoContent = 1401
    /// The number for the badge is negative.
    case badgeInputInvalid = 1600

    /// Returns whether an error has this code: `catch UNError.notificationInvalidNoDate`.
    public static func ~= (code: Code, error: any Error) -> Bool { (error as? UNError)?.code == code }
  }

  /// The code of the error.
  public let code: Code
  private let error: NSError

  /// Creates an error with a code.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    (self.code, error) = (code, NSError(domain: UNErrorDomain, code: code.rawValue, userInfo: userInfo))
  }

  /// Creates an error with a description of the reason.
  init(_ code: Code, _ why: String) { self.init(code, userInfo: [NSLocalizedDescriptionKey: why]) }

  /// A description of the reason.
  public var localizedDescription: String { error.localizedDescription }

  public static var errorDomain: String { UNErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { error.userInfo }

  /// The app may not notify.
  public static var notificationsNotAllowed: Code { .notificationsNotAllowed }
  /// The trigger never fires, or fires at times that the daemon cannot keep.
  public static var notificationInvalidNoDate: Code { .notificationInvalidNoDate }
  /// The notification has no content.
  public static var notificationInvalidNoContent: Code { .notificationInvalidNoContent }
  /// The number for the badge is negative.
  public static var badgeInputInvalid: Code { .badgeInputInvalid }
}
