import Glibc

/// The arguments of this process as others see them, in `ps` and `/proc/PID/cmdline` (proc(5)).
enum ProgramArguments {
  /// Overwrites a secret wherever an argument ends with it. Other processes may have seen it before.
  static func strikeOut(_ secret: String) {
    let bytes = Array(secret.utf8)
    guard !bytes.isEmpty else { return }
    for number in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[number] else { continue }
      let length = strlen(argument)
      guard length >= bytes.count else { continue }
      let end = argument + (length - bytes.count)
      let isSecret = bytes.indices.allSatisfy { UInt8(bitPattern: end[$0]) == bytes[$0] }
      if isSecret { memset(end, Int32(UInt8(ascii: "x")), bytes.count) }
    }
  }
}
