/// The interface `org.varlink.service`, which every service offers.
enum ServiceIntrospection {
  static let name = "org.varlink.service"

  struct DescriptionRequest: Codable, Sendable { var interface: String }
  struct DescriptionReply: Codable, Sendable { var description: String }

  /// The interface, with handlers that describe the others and itself.
  static func interface(_ information: ServiceInformation, _ others: [VarlinkInterface]) -> VarlinkInterface {
    guard var interface = try? VarlinkInterface(text) else { preconditionFailure("org.varlink.service is unreadable") }
    var information = information
    information.interfaces = [name] + others.map(\.description.name)
    let texts = Dictionary(uniqueKeysWithValues: others.map { ($0.description.name, $0.text) } + [(name, text)])
    interface.answer("GetInfo", taking: NoParameters.self) { [information] _, _ in information }
    interface.answer("GetInterfaceDescription", taking: DescriptionRequest.self) {
      (request, _) throws(VarlinkError) -> DescriptionReply in
      guard let text = texts[request.interface] else { throw .interfaceNotFound(request.interface) }
      return DescriptionReply(description: text)
    }
    return interface
  }

  static let text = """
    # Every Varlink service offers this interface: it tells what the service is and which interfaces it has.
    interface org.varlink.service

    # Tells who made the service, and the names of its interfaces.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # Returns the description of one interface, in the interface definition language.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The service has no such interface.
    error InterfaceNotFound (interface: string)

    # The interface has no such method.
    error MethodNotFound (method: string)

    # The interface describes the method, and the service does not offer it.
    error MethodNotImplemented (method: string)

    # A parameter is unknown, missing or of another type.
    error InvalidParameter (parameter: string)

    # The caller may not do this.
    error PermissionDenied ()

    # The method can only be called with "more".
    error ExpectedMore ()

    """
}
