public import Foundation

extension BGTaskScheduler {
  /// The domain of ``Error``.
  public static let errorDomain = "BGTaskSchedulerErrorDomain"

  /// The reason why a request was refused; `localizedDescription` describes it.
  public struct Error: CustomNSError, Hashable, Sendable {
    /// The codes of ``Error``.
    public enum Code: Int, Sendable {
      /// Background App Refresh is off for the app, or no daemon answers.
      case unavailable = 1
      /// One refresh request, or ten processing requests, are pending already.
      case tooManyPendingTaskRequests = 2
      /// The identifier is not in `BGTaskSchedulerPermittedIdentifiers` of the app's `Info.plist`, or the app does not
      /// declare the background mode.
      case notPermitted = 3

      /// Returns whether an error has this code: `catch BGTaskScheduler.Error.notPermitted`.
      public static func ~= (code: Code, error: any Swift.Error) -> Bool {
        (error as? BGTaskScheduler.Error)?.code == code
      }
    }

    /// The code of the error.
    public let code: Code
    private let error: NSError

    /// Creates an error with a code.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
      (self.code, error) = (code, NSError(domain: Self.errorDomain, code: code.rawValue, userInfo: userInfo))
    }

    /// Creates an error with a description of the reason.
    init(_ code: Code, _ why: String) { self.init(code, userInfo: [NSLocalizedDescriptionKey: why]) }

    /// A description of the reason.
    public var localizedDescription: String { error.localizedDescription }

    public static var errorDomain: String { BGTaskScheduler.errorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { error.userInfo }

    /// Background App Refresh is off for the app, or no daemon answers.
    public static var unavailable: Code { .unavailable }
    /// One refresh request, or ten processing requests, are pending already.
    public static var tooManyPendingTaskRequests: Code { .tooManyPendingTaskRequests }
    /// The identifier or the background mode is not declared.
    public static var notPermitted: Code { .notPermitted }
  }
}
