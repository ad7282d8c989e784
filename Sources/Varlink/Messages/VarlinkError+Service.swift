// The errors of org.varlink.service, which every service may answer.
extension VarlinkError {
  /// The names of the errors that every service may answer.
  public enum Name {
    /// The service has no such interface.
    public static let interfaceNotFound = "org.varlink.service.InterfaceNotFound"
    /// The interface has no such method.
    public static let methodNotFound = "org.varlink.service.MethodNotFound"
    /// The interface describes the method, and the service does not offer it.
    public static let methodNotImplemented = "org.varlink.service.MethodNotImplemented"
    /// A parameter is unknown, missing or of another type; the error names it. Or the whole message is no call, or is
    /// too long: then the error says so in the place of a name.
    public static let invalidParameter = "org.varlink.service.InvalidParameter"
    /// The caller may not do this.
    public static let permissionDenied = "org.varlink.service.PermissionDenied"
    /// The method can only be called with `more`.
    public static let expectedMore = "org.varlink.service.ExpectedMore"
  }

  /// The service has no interface of this name.
  public static func interfaceNotFound(_ interface: String) -> VarlinkError {
    VarlinkError(Name.interfaceNotFound, ["interface": interface])
  }

  /// The interface has no method of this name.
  public static func methodNotFound(_ method: String) -> VarlinkError {
    VarlinkError(Name.methodNotFound, ["method": method])
  }

  /// The interface describes the method, and the service does not offer it.
  public static func methodNotImplemented(_ method: String) -> VarlinkError {
    VarlinkError(Name.methodNotImplemented, ["method": method])
  }

  /// The parameter of this name is unknown, missing or of another type.
  public static func invalidParameter(_ field: String) -> VarlinkError {
    VarlinkError(Name.invalidParameter, ["parameter": field])
  }

  /// The caller may not do this.
  public static func permissionDenied() -> VarlinkError {
    VarlinkError(Name.permissionDenied)
  }

  /// The method can only be called with `more`.
  public static func expectedMore() -> VarlinkError {
    VarlinkError(Name.expectedMore)
  }
}
