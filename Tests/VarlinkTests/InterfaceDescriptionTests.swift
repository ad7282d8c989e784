import Testing

@testable import Varlink

@Suite struct InterfaceDescriptionTests {
  private static let everything = """
    # Copyright: this block documents nothing.

    # The first line.
    #
    #   The third, indented.
    interface org.example-domain.every2-thing.x

    type Empty ()
    # A colour.
    type Colour (
      # Like blood.
      red,
      green_2, b
    )
    type Box(
      # How wide.
      width:int, height :float # trailing
      , deep: (inner: (x: bool, y: object)),
      choice: (one, two)
    )
    method Do(a: bool, b: int, c: float, d: string, e: object, f: Colour) -> ()
    method Collections (a: []int, b: [string]Box, c: ?string, d: ?[]Box, e: ?[string](), f: [][]string, g: []?Box)
      -> (r: ?(x: int))
    # Goes wrong.
    error Wrong (why: string)
    error Bare ()
    """

  @Test func `every construct is read`() throws {
    let description = try InterfaceDescription(parsing: Self.everything)

    #expect(description.name == "org.example-domain.every2-thing.x")
    #expect(description.documentation == "The first line.\n\n  The third, indented.")
    #expect(description.members.map(\.name) == ["Empty", "Colour", "Box", "Do", "Collections", "Wrong", "Bare"])
    #expect(description.types[0].type == .structure([]))
    #expect(description.types[1].documentation == "A colour.")
    #expect(
      description.types[1].type
        == .enumeration([
          .init(name: "red", documentation: "Like blood."), .init(name: "green_2", documentation: ""),
          .init(name: "b", documentation: ""),
        ]))
    #expect(description.errors.map(\.documentation) == ["Goes wrong.", ""])
  }

  @Test func `systemd's word for any value is understood`() throws {
    let description = try InterfaceDescription(parsing: "interface a.b\nmethod Do(a: any, b: ?[string]any) -> ()")

    #expect(description.method(named: "Do")?.parameters.map(\.type) == [.object, .nullable(.map(.object))])
  }

  @Test func `types nest as they are written`() throws {
    let description = try InterfaceDescription(parsing: Self.everything)

    let collections = try #require(description.method(named: "Collections"))
    let types = collections.parameters.map(\.type)

    #expect(
      types == [
        .array(.int), .map(.named("Box")), .nullable(.string), .nullable(.array(.named("Box"))),
        .nullable(.map(.structure([]))), .array(.array(.string)), .array(.nullable(.named("Box"))),
      ])
    #expect(collections.reply.map(\.type.description) == ["?(x: int)"])
    #expect(
      description.method(named: "Do")?.parameters.map(\.type.description).joined(separator: " ")
        == "bool int float string object Colour")
  }

  @Test(arguments: [everything, ServiceIntrospection.text, TestService.description])
  func `what is printed is read back as the same`(text: String) throws {
    let description = try InterfaceDescription(parsing: text)

    let again = try InterfaceDescription(parsing: description.description)

    #expect(again == description)
    #expect(again.description == description.description)
  }

  @Test(arguments: [
    ("", 1, 1, "\"interface\"", "the end"),
    ("interface nodots", 1, 11, "an interface name such as org.example.ping", "\"nodots\""),
    ("interface org.-a", 1, 11, "an interface name such as org.example.ping", "\"org\""),
    ("interface a.b\nmethod do() -> ()", 2, 8, "a name that begins with a capital", "\"do\""),
    ("interface a.b\nmethod Do()", 2, 12, "\"->\"", "the end"),
    ("interface a.b\nmethod Do(a: int b: int) -> ()", 2, 18, "\")\"", "\"b\""),
    ("interface a.b\n  method Do(a: integer) -> ()", 2, 16, "a type", "\"integer\""),
    ("interface a.b\nmethod Do(a: Nowhere) -> ()", 2, 14, "the name of a type of this interface", "\"Nowhere\""),
    ("interface a.b\nmethod Do(a: ??int) -> ()", 2, 15, "a type that is not nullable itself", "\"?\""),
    ("interface a.b\nmethod Do(a_: int) -> ()", 2, 11, "a field name", "\"a_\""),
    ("interface a.b\nmethod Do(a__b: int) -> ()", 2, 11, "a field name", "\"a__b\""),
    ("interface a.b\nmethod Do(1a: int) -> ()", 2, 11, "a field name", "\"1a\""),
    ("interface a.b\nmethod Do(a: int, a: int) -> ()", 2, 19, "a field name that is not used already", "\"a\""),
    ("interface a.b\ntype T ()\nerror T ()", 3, 7, "a name that is not declared already", "\"T\""),
    ("interface a.b\nmethod Do(a: (x, y: int)) -> ()", 2, 19, "\")\"", "\":\""),
    ("interface a.b\n# fine\nmethods", 3, 1, "\"type\", \"method\" or \"error\"", "\"methods\""),
    ("interface a.b\ntype T int", 2, 8, "\"(\"", "\"int\""),
    ("interface a.b\nmethod Do(a: [int]int) -> ()", 2, 14, "a type", "\"[\""),
  ])
  func `an error has a line, a column and what was expected`(
    text: String, line: Int, column: Int, expected: String, found: String
  ) {
    let error = #expect(throws: InterfaceSyntaxError.self) { try InterfaceDescription(parsing: text) }

    #expect(error == InterfaceSyntaxError(line: line, column: column, expected: expected, found: found))
  }

  @Test func `nesting has a bound`() {
    let type = String(repeating: "[]", count: 100_000) + "int"

    let error = #expect(throws: InterfaceSyntaxError.self) {
      try InterfaceDescription(parsing: "interface a.b\ntype T (a: \(type))")
    }

    #expect(error?.expected == "no more than 64 levels")
  }

  @Test(arguments: 0..<UInt64(300))
  func `a damaged description is refused or read, and what is read can be printed`(seed: UInt64) throws {
    var random = SeededGenerator(seed)
    var bytes = Array(Self.everything.utf8)

    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      if Bool.random(using: &random) {
        bytes.remove(at: place)
      } else {
        bytes[place] = bytes.randomElement(using: &random)!
      }
    }

    guard let description = try? InterfaceDescription(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
    #expect(try InterfaceDescription(parsing: description.description) == description)
  }
}
