import ScriptedServer

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

// The misbehaving server as a process of its own. It runs until it is ended.
//
//   scripted-server [--port PORT] [--seed SEED] [--chaos] [--tls | --http2]

var port = 0
var seed: UInt64 = 1
var isChaotic = false
var security = HTTPTestServer.Security.plain
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--port": port = arguments.popFirst().flatMap { Int($0) } ?? port
  case "--seed": seed = arguments.popFirst().flatMap { UInt64($0) } ?? seed
  case "--chaos": isChaotic = true
  case "--tls": security = .tls
  case "--http2": security = .http2
  default: fatalError("unknown option \(argument); there are --port, --seed, --chaos, --tls and --http2")
  }
}
let server = try await HTTPTestServer.start(security, port: port, chaos: isChaotic ? seed : nil)
print("listening on 127.0.0.1:\(server.port)")
fflush(nil)
try await server.wait()
