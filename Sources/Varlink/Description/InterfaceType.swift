/// A type in an interface description.
public indirect enum InterfaceType: Sendable, Hashable {
  /// A field of a struct.
  public struct Field: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The comment before it; empty when there is none.
    public var documentation: String
    /// The type of its value.
    public var type: InterfaceType
  }

  /// A value of an enum.
  public struct Value: Sendable, Hashable {
    /// The name, which is the string sent in messages.
    public var name: String
    /// The comment before it; empty when there is none.
    public var documentation: String
  }

  /// `bool`.
  case bool
  /// `int`: a whole number.
  case int
  /// `float`: any number.
  case float
  /// `string`.
  case string
  /// `object`: any JSON.
  case object
  /// A type declared elsewhere in the interface.
  case named(String)
  /// `(a: int, b: string)`.
  case structure([Field])
  /// `(one, two)`.
  case enumeration([Value])
  /// `[]T`.
  case array(InterfaceType)
  /// `[string]T`.
  case map(InterfaceType)
  /// `?T`: may be null or absent.
  case nullable(InterfaceType)
}
