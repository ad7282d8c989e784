/// An error that a service answers to a call: a name declared in its interface, and the declared parameters.
///
/// A handler throws it or passes it to ``VarlinkCall/fail(_:)``; a client catches it. Compare by ``name``, then ask
/// for ``parameters(as:)``.
public struct VarlinkError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The full name, interface first: `org.varlink.service.MethodNotFound`.
  public let name: String
  /// The parameters as JSON text; `{}` when there are none.
  public let json: String

  /// Makes an error without parameters.
  public init(_ name: String) {
    self.name = name
    self.json = "{}"
  }

  /// Makes an error with the parameters that its interface declares.
  ///
  /// Parameters that cannot be written as JSON, such as an infinite number, are a mistake of the program and left out.
  public init(_ name: String, _ parameters: some Encodable) {
    self.name = name
    self.json = (try? Wire.encode(parameters)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  init(name: String, json: String) {
    self.name = name
    self.json = json
  }

  /// The parameters as a type of the caller's.
  ///
  /// - Throws: `TransportError` with the code `undecodable` when the service sent something else.
  public func parameters<Parameters: Decodable>(as type: Parameters.Type) throws(TransportError) -> Parameters {
    do {
      return try Wire.decode(type, from: json)
    } catch {
      throw TransportError(.undecodable, "the parameters of \(name) are not \(type): \(Wire.reason(error))")
    }
  }

  /// The name and the parameters, as they are sent.
  public var description: String { json == "{}" ? name : "\(name) \(json)" }
}
