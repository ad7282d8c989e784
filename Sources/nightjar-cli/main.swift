import Glibc
import NightjarCommand

exit(await Program.run(Array(CommandLine.arguments.dropFirst()), in: .ofThisProcess()))
