/// Misuses that iOS answers with an exception. Here they end the process with Apple's message, but `dataTask` ends only
/// the task.
enum Misuse: String {
  case completionHandler = "Completion handler blocks are not supported in background sessions. Use a delegate instead."
  case dataTask = "Data tasks are not supported in background sessions. Use a download task instead."
  case noDelegate = "Background sessions need a delegate: what they have to tell may come in a later life of the app."
  case invalidated = "Task created in a session that has been invalidated"
  case userInfo = "The userInfo of a notification may hold property list types only, with strings as keys."
  case interval = "time interval must be greater than 0"
  case shortInterval = "time interval must be at least 60 if repeating"
  case lateRegistration = "All launch handlers must be registered before application finishes launching"
  case emptyIdentifier = "The identifier of a background session must not be empty."

  /// Ends the process with Apple's message.
  func happened() -> Never { fatalError(rawValue) }

  /// Ends the process for a URL that a background session cannot load.
  static func badScheme(_ scheme: String?, for deed: String) -> Never {
    fatalError("Invalid URL scheme for background \(deed): \(scheme ?? "(null)"). Valid schemes are http or https")
  }

  /// Ends the process for an identifier that is registered twice.
  static func registered(_ identifier: String) -> Never {
    fatalError("Launch handler for task with identifier \(identifier) has already been registered")
  }

  /// Ends the process for a delegate that cannot be created.
  static func noClass(_ name: String) -> Never {
    fatalError(
      "Unable to instantiate the UIApplication delegate instance. No class named \(name) is loaded that is a UIResponder "
        + "and a UIApplicationDelegate.")
  }

  /// Ends the process for a file that an upload cannot read.
  static func unreadable(_ file: String) -> Never { fatalError("Cannot read file at \(file)") }
}
