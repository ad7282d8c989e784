import Glibc
import TestThreads
import Testing

@testable import Varlink

/// The Varlink project's own test, run against its implementation in Python in both directions, and its command line.
@Suite(.blocking) struct CertificationTests {
  @Test func `the Python client certifies our service`() throws {
    let server = try Server(Self.ours())

    let client = try Program(
      try Self.python(), ["-m", "varlink.tests.test_certification", "--client", "--varlink=\(server.address)"])
    let status = try client.status()

    #expect(status == 0)
    #expect(client.text.contains("Certification passed"), "\(client.text)\n\(server.program.text)")
  }

  @Test func `our client passes the Python service`() throws {
    let server = try Server(Self.python(), ["-u", "-m", "varlink.tests.test_certification"])

    let client = try Program(try Self.ours(), ["--client", "--varlink=\(server.address)"])
    let status = try client.status()

    #expect(status == 0)
    #expect(client.text.contains("Certification passed"), "\(client.text)\n\(server.program.text)")
  }

  @Test func `our client passes our service`() throws {
    let server = try Server(Self.ours())

    let client = try Program(try Self.ours(), ["--client", "--varlink=\(server.address)"])
    let status = try client.status()

    #expect(status == 0)
    #expect(client.text.contains("Certification passed"), "\(client.text)\n\(server.program.text)")
  }

  @Test func `our service refuses what is out of order, in the words of its interface`() throws {
    let server = try Server(Self.ours())
    let client = try VarlinkClient(to: VarlinkAddress(server.address))

    let stranger = #expect(throws: VarlinkError.self) {
      try client.call("org.varlink.certification.Test01", ["client_id": "nobody"], returning: JSONValue.self)
    }
    let start = try client.call("org.varlink.certification.Start", NoParameters(), returning: [String: String].self)
    let early = #expect(throws: VarlinkError.self) {
      try client.call("org.varlink.certification.End", start, returning: JSONValue.self)
    }

    #expect(stranger?.name == "org.varlink.certification.ClientIdError")
    #expect(try early?.parameters(as: [String: String].self) == ["wants": "Test01", "got": "End"])
    withExtendedLifetime(server) {}
  }

  @Test func `the Python command line reads our service`() throws {
    let server = try Server(Self.ours())

    let info = try Self.cli("info", server.address)
    let help = try Self.cli("help", "\(server.address)/org.varlink.certification")
    let call = try Self.cli("call", "\(server.address)/org.varlink.certification.Start", "{}")

    #expect(info.contains("Product: Varlink certification"))
    #expect(info.contains("org.varlink.certification"))
    #expect(help.contains("# Must be called oneway.\nmethod Test11("))
    #expect(call.contains("\"client_id\": \""))
    withExtendedLifetime(server) {}
  }

  /// That command line exits with 0 when a call fails and prints the error, so it is the text that counts.
  @Test func `the Python command line is told what is wrong`() throws {
    let server = try Server(Self.ours())

    let method = try Self.cli("call", "\(server.address)/org.varlink.certification.Nothing", "{}")
    let parameter = try Self.cli("call", "\(server.address)/org.varlink.certification.Test01", #"{"id": 1}"#)
    let more = try Self.cli(
      "call", "\(server.address)/org.varlink.certification.Test10", #"{"client_id": "x", "mytype": 1}"#)

    #expect(method.contains("org.varlink.service.MethodNotFound"))
    #expect(parameter.contains("org.varlink.service.InvalidParameter") && parameter.contains("'id'"))
    #expect(more.contains("org.varlink.service.ExpectedMore"))
    withExtendedLifetime(server) {}
  }

  /// A certification service in a process of its own, ready for clients.
  private struct Server {
    let folder: TemporaryFolder
    let program: Program
    let address: String

    init(_ path: String, _ arguments: [String] = []) throws {
      folder = try TemporaryFolder()
      address = "unix:\(folder.path)/s"
      program = try Program(path, arguments + ["--varlink=\(address)"])
      try #require(try program.waits(for: "Listening"), "\(program.text)")
    }
  }

  private static func cli(_ arguments: String...) throws -> String {
    let program = try Program(try python(), ["-m", "varlink.cli"] + arguments)
    _ = try program.status()
    return program.text
  }

  /// The executable is built beside the tests.
  private static func ours() throws -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { bytes in
      readlink("/proc/self/exe", bytes.assumingMemoryBound(to: CChar.self).baseAddress!, bytes.count)
    }
    let own = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    let path = own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex) + "varlink-certification"
    try #require(access(String(path), X_OK) == 0, "\(path) is missing: build the product varlink-certification")
    return String(path)
  }

  /// A Python that has the package `varlink`.
  private static func python() throws -> String {
    let python = getenv("NIGHTJAR_PYTHON").map { String(cString: $0) } ?? "python3"
    let probe = try Program(python, ["-c", "import varlink.tests.test_certification"])
    let status = try probe.status()
    try #require(
      status == 0,
      """
      \(python) cannot import varlink. Install it and say where: \
      python3 -m venv venv && venv/bin/pip install varlink==31.0.0 && export NIGHTJAR_PYTHON=$PWD/venv/bin/python
      """)
    return python
  }
}
