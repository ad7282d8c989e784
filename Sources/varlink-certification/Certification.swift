import Varlink

/// The messages of `org.varlink.certification`, the Varlink project's own test of implementations.
enum Certification {
  static let name = "org.varlink.certification"

  struct Client: Codable, Sendable { var client_id: String }
  struct Test02: Codable, Sendable { var client_id: String, bool: Bool }
  struct Test03: Codable, Sendable { var client_id: String, int: Int }
  struct Test04: Codable, Sendable { var client_id: String, float: Double }
  struct Test05: Codable, Sendable { var client_id: String, string: String }
  struct Test06: Codable, Sendable { var client_id: String, bool: Bool, int: Int, float: Double, string: String }
  struct Test07: Codable, Sendable { var client_id: String, `struct`: Scalars }
  struct Test08: Codable, Sendable { var client_id: String, map: [String: String] }
  struct Test09: Codable, Sendable { var client_id: String, set: StringSet }
  struct Test10: Codable, Sendable { var client_id: String, mytype: MyType }
  struct Test11: Codable, Sendable { var client_id: String, last_more_replies: [String] }

  struct Truth: Codable, Sendable { var bool: Bool }
  struct Number: Codable, Sendable { var int: Int }
  struct Fraction: Codable, Sendable { var float: Double }
  struct Text: Codable, Sendable { var string: String }
  struct Scalars: Codable, Sendable, Equatable { var bool: Bool, int: Int, float: Double, string: String }
  struct Structure: Codable, Sendable { var `struct`: Scalars }
  struct Map: Codable, Sendable { var map: [String: String] }
  struct Strings: Codable, Sendable { var set: StringSet }
  struct Mine: Codable, Sendable { var mytype: MyType }
  struct End: Codable, Sendable { var all_ok: Bool }
  struct Failure: Codable, Sendable { var wants: JSONValue, got: JSONValue }

  struct MyType: Codable, Sendable, Equatable {
    enum Choice: String, Codable, Sendable { case one, two, three }
    enum Metasyntactic: String, Codable, Sendable { case foo, bar, baz }
    struct Pair: Codable, Sendable, Equatable { var first: Int, second: String }
    struct Anonymous: Codable, Sendable, Equatable { var foo: Bool, bar: Bool }
    struct Interface: Codable, Sendable, Equatable {
      var foo: [[String: Metasyntactic]?]?
      var anon: Anonymous
    }

    var object: JSONValue
    var `enum`: Choice
    var `struct`: Pair
    var array: [String]
    var dictionary: [String: String]
    var stringset: StringSet
    var nullable: String?
    var nullable_array_struct: [Pair]?
    var interface: Interface
  }

  // The values that the tests hand on from one call to the next.

  static let scalars = Scalars(bool: false, int: 2, float: .pi, string: "a lot of string")
  static let map = ["foo": "Foo", "bar": "Bar"]
  static let set: StringSet = ["one", "two", "three"]
  static let replies = (1...10).map { "Reply number \($0)" }
  static let mine = MyType(
    object: .object([
      "method": .string("org.varlink.certification.Test09"),
      "parameters": .object(["map": .object(["foo": .string("Foo"), "bar": .string("Bar")])]),
    ]),
    enum: .two, struct: .init(first: 1, second: "2"), array: ["one", "two", "three"], dictionary: map, stringset: set,
    nullable: nil, nullable_array_struct: nil,
    interface: .init(
      foo: [nil, ["foo": .foo, "bar": .bar], nil, ["one": .foo, "two": .bar]], anon: .init(foo: true, bar: false)))

  static let description = """
    # What an implementation of Varlink must be able to do, as eleven tests that are called in order.
    # Each call is given what the call before it returned.
    interface org.varlink.certification

    type Interface (
      foo: ?[]?[string](foo, bar, baz),
      anon: (foo: bool, bar: bool)
    )

    type MyType (
      object: object,
      enum: (one, two, three),
      struct: (first: int, second: string),
      array: []string,
      dictionary: [string]string,
      stringset: [string](),
      nullable: ?string,
      nullable_array_struct: ?[](first: int, second: string),
      interface: Interface
    )

    method Start() -> (client_id: string)
    method Test01(client_id: string) -> (bool: bool)
    method Test02(client_id: string, bool: bool) -> (int: int)
    method Test03(client_id: string, int: int) -> (float: float)
    method Test04(client_id: string, float: float) -> (string: string)
    method Test05(client_id: string, string: string) -> (bool: bool, int: int, float: float, string: string)
    method Test06(client_id: string, bool: bool, int: int, float: float, string: string)
      -> (struct: (bool: bool, int: int, float: float, string: string))
    method Test07(client_id: string, struct: (bool: bool, int: int, float: float, string: string))
      -> (map: [string]string)
    method Test08(client_id: string, map: [string]string) -> (set: [string]())
    method Test09(client_id: string, set: [string]()) -> (mytype: MyType)

    # Answers with ten replies.
    method Test10(client_id: string, mytype: MyType) -> (string: string)

    # Must be called oneway.
    method Test11(client_id: string, last_more_replies: []string) -> ()

    method End(client_id: string) -> (all_ok: bool)

    error ClientIdError ()
    error CertificationError (wants: object, got: object)

    """
}
