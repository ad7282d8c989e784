public import Foundation

extension BGTaskScheduler {
  /// The domain of ``Error``.
  public static let errorDomain = "BGTaskSchedulerErrorDomain"

  /// Why a request was not taken; `localizedDescription` says it in words.
  public struct Error: CustomNSError, Hashable, Sendable {
    /// In one word.
    public enum Code: Int, Sendable {
      /// The person lets the app do nothing in the background, or there is no daemon.
      case unavailable = 1
      /// One request to refresh, or ten for processing, are pending already.
      case tooManyPendingTaskRequests = 2
      /// The identifier does not stand in `BGTaskSchedulerPermittedIdentifiers` of the app's `Info.plist`, or the app does
      /// not declare the background mode.
      case notPermitted = 3

      /// Whether an error has this code: `catch BGTaskScheduler.Error.notPermitted`.
      public static func ~= (code: Code, error: any Swift.Error) -> Bool {
        (error as? BGTaskScheduler.Error)?.code == code
      }
    }

    /// In one word.
    public let code: Code
    private let error: NSError

    /// An error of a code.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
      (self.code, error) = (code, NSError(domain: Self.errorDomain, code: code.rawValue, userInfo: userInfo))
    }

    /// An error that says why in words.
    init(_ code: Code, _ why: String) { self.init(code, userInfo: [NSLocalizedDescriptionKey: why]) }

    /// Its words.
    public var localizedDescription: String { error.localizedDescription }

    public static var errorDomain: String { BGTaskScheduler.errorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { error.userInfo }

    /// The person lets the app do nothing in the background, or there is no daemon.
    public static var unavailable: Code { .unavailable }
    /// One request to refresh, or ten for processing, are pending already.
    public static var tooManyPendingTaskRequests: Code { .tooManyPendingTaskRequests }
    /// The identifier or the background mode is not declared.
    public static var notPermitted: Code { .notPermitted }
  }
}
