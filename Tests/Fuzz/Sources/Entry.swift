import Glibc

/// What is fed to one reader of bytes from outside. It returns, whatever the bytes are; a trap is a finding, and so is
/// a broken promise, which a target reports by trapping itself.
typealias FuzzTarget = @Sendable (UnsafeBufferPointer<UInt8>) -> Void

let targets: [String: FuzzTarget] = [
  "varlink": fuzzMessages,
  "interface": fuzzInterface,
  "content-range": fuzzContentRange,
  "http-head": fuzzHead,
  "answer-fields": fuzzAnswerFields,
  "info-plist": fuzzInfo,
  "resume-data": fuzzResumeData,
]

/// Hands one of the targets to libFuzzer: the one that `NIGHTJAR_FUZZ_TARGET` names.
@main
struct Entry {
  static func main() {
    var (count, arguments) = (CommandLine.argc, Optional(CommandLine.unsafeArgv))
    exit(runFuzzer(&count, &arguments) { testOneInput($0, $1) })
  }
}

/// What libFuzzer calls with every input that it makes up. Its archive wants it under this name.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target(UnsafeBufferPointer(start: bytes, count: count))
  return 0
}

private let target: FuzzTarget = {
  let name = getenv("NIGHTJAR_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = targets[name] else {
    fatalError("NIGHTJAR_FUZZ_TARGET is '\(name)', which is none of \(targets.keys.sorted())")
  }
  return target
}()

/// libFuzzer's own loop, as a library has it (<https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library>).
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
