public import Varlink

extension AppInterface {
  /// The interface file, as `GetInterfaceDescription` gives it out.
  public static let text = String(decoding: PackageResources.dev_nightjar_App_varlink, as: UTF8.self)

  /// The interface without handlers yet.
  public static func interface() -> VarlinkInterface { parsed(text) }
}

extension ControlInterface {
  /// The interface file, as `GetInterfaceDescription` gives it out.
  public static let text = String(decoding: PackageResources.dev_nightjar_Control_varlink, as: UTF8.self)

  /// The interface without handlers yet.
  public static func interface() -> VarlinkInterface { parsed(text) }
}

private func parsed(_ text: String) -> VarlinkInterface {
  do {
    return try VarlinkInterface(text)
  } catch {
    preconditionFailure("an interface file of ours cannot be read: \(error)")
  }
}
