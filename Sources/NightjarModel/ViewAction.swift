/// What a person did in an app's view: pressed something that names an action, or sent off a form.
public struct ViewAction: Hashable, Sendable {
  /// The action's name, as the view gives it.
  public var name: String
  /// The fields of the form that it belongs to, by their names.
  public var fields: [String: String]

  /// An action with what was filled in.
  public init(_ name: String, fields: [String: String] = [:]) { (self.name, self.fields) = (name, fields) }

  /// Bytes of its name and of all its fields.
  public var byteCount: Int { name.utf8.count + fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } }
}
