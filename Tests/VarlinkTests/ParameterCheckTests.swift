import Testing

@testable import Varlink

@Suite struct ParameterCheckTests {
  private static let description = """
    interface org.example.check
    type Colour (red, green)
    type Tree (name: string, children: []Tree, parent: ?Tree)
    method Do(b: ?bool, i: ?int, f: ?float, s: ?string, o: ?object, e: ?Colour, a: ?[]?int, m: ?[string]Tree, t: ?Tree)
      -> ()
    method Need(first: string, second: ?int, third: bool) -> ()
    """

  @Test(arguments: [
    #"{}"#, #"{"b":true,"i":-3,"f":2.5,"s":"","o":[1,"x",null],"e":"green","a":[1,null],"m":{}}"#, #"{"f":3}"#,
    #"{"i":-9223372036854775808}"#,
    #"{"b":null,"i":null,"t":null}"#, #"{"t":{"name":"a","children":[{"name":"b","children":[],"parent":null}]}}"#,
    #"{"\u0062":false}"#, #"{"s":"\ud83d\ude00"}"#, #"{"o":"\uD83D\uDE00\ud83d\ude00 \u0041"}"#,
    #"{"e":"r\u0065d"}"#, #"{"m":{"any key":{"name":"x","children":[]}}}"#,
  ])
  func `parameters that fit pass`(json: String) throws {
    #expect(try Self.wrong(json, "Do") == nil)
  }

  @Test(arguments: [
    (#"{"b":1}"#, "b"), (#"{"i":"1"}"#, "i"), (#"{"i":1.0}"#, "i"), (#"{"f":true}"#, "f"), (#"{"s":{}}"#, "s"),
    (#"{"e":"blue"}"#, "e"), (#"{"e":1}"#, "e"), (#"{"a":{}}"#, "a"), (#"{"a":[1,2,"x"]}"#, "a[2]"),
    (#"{"m":{"k":{"name":"x"}}}"#, "m[k].children"), (#"{"zzz":1}"#, "zzz"), (#"{"z\n":1}"#, "z\n"),
    (#"{"t":{"name":"a","children":[{"name":"b","children":[],"colour":1}]}}"#, "t.children[0].colour"),
    (#"{"t":{"name":null,"children":[]}}"#, "t.name"), (#"{"b":1,"i":"x"}"#, "b"),
    // Half a character is no text.
    (#"{"s":"\udcff"}"#, "s"), (#"{"s":"\ud83d"}"#, "s"), (#"{"s":"\ud83d\u0041"}"#, "s"),
    (#"{"s":"\ud83d\ud83d\ude00"}"#, "s"), (#"{"o":[{"\uD800":1}]}"#, "o"), (#"{"\udcff":1}"#, #"\udcff"#),
    (#"{"m":{"\udcff":{"name":"x","children":[]}}}"#, #"m[\udcff]"#), (#"{"e":"\udcff"}"#, "e"),
  ])
  func `the first field that does not fit is named`(json: String, field: String) throws {
    #expect(try Self.wrong(json, "Do") == field)
  }

  @Test(arguments: [
    (#"{"first":"a","third":true}"#, nil), (#"{"third":true}"#, "first"), (#"{"first":"a"}"#, "third"),
    (#"{"first":null,"third":true}"#, "first"),
  ])
  func `only nullable fields may be missing`(json: String, field: String?) throws {
    #expect(try Self.wrong(json, "Need") == field)
  }

  @Test func `absent parameters are missing fields, unless all are nullable`() throws {
    var check = ParameterCheck(try InterfaceDescription(parsing: Self.description))
    let description = try InterfaceDescription(parsing: Self.description)
    let lenient = check.prepare(description.methods[0].parameters)
    let strict = check.prepare(description.methods[1].parameters)

    #expect(check.missingField(at: lenient) == nil)
    #expect(check.missingField(at: strict) == "first")
  }

  @Test func `more than a word of fields is counted`() throws {
    let fields = (0..<100).map { InterfaceType.Field(name: "f\($0)", documentation: "", type: .int) }
    var check = ParameterCheck(InterfaceDescription(name: "a.b", documentation: "", members: []))
    let place = check.prepare(fields)

    let whole = "{" + (0..<100).map { "\"f\($0)\":1" }.joined(separator: ",") + "}"
    let short = whole.replacing(",\"f87\":1", with: "")

    #expect(Self.wrong(whole, check, place) == nil)
    #expect(Self.wrong(short, check, place) == "f87")
  }

  private static func wrong(_ json: String, _ method: String) throws -> String? {
    let description = try InterfaceDescription(parsing: description)
    var check = ParameterCheck(description)
    let place = check.prepare(try #require(description.method(named: method)).parameters)
    return wrong(json, check, place)
  }

  private static func wrong(_ json: String, _ check: ParameterCheck, _ place: Int) -> String? {
    Array(json.utf8).withUnsafeBufferPointer { check.wrongField($0, at: place) }
  }
}
