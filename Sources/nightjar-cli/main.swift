import Glibc
import NightjarCommand

let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst()
let texts = arguments.compactMap { $0.map { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) } }
exit(await Program.run(bytes: texts.map { $0.map(UInt8.init(bitPattern:)) }, in: .ofThisProcess()))
