import Glibc
import NightjarSimulator

/// Runs many made-up worlds, and says what broke and what the digest of all of them is.
///
///     nightjar-soak --seeds 10000 --from 0 --faults harsh
///
/// Two runs with the same options print the same digest, whatever machine or process they run in. The status is 1 if
/// any promise was broken.
@main
struct Soak {
  static func main() async {
    let options: SoakOptions
    do throws(SoakUsage) {
      options = try SoakOptions(Array(CommandLine.arguments.dropFirst()))
    } catch {
      print(error.problem)
      exit(64)
    }
    if options.measuresDecisions { exit(DecisionCost.report() ? 0 : 1) }
    if options.measuresTurns { exit(TurnCost.report() ? 0 : 1) }
    let outcomes = await Self.outcomes(options)
    var digest = Digest()
    var (turns, failures) = (0, 0)
    for outcome in outcomes {
      digest.fold(outcome.digest)
      turns += outcome.turns
      failures += outcome.failures.isEmpty ? 0 : 1
      for failure in outcome.failures.prefix(options.isLoud ? 20 : 2) where failures <= 20 { print(failure) }
      for line in outcome.journal { print(line) }
    }
    print("\(outcomes.count) seeds from \(options.from), \(turns) turns, \(failures) seeds failed")
    print("digest \(String(digest.value, radix: 16))")
    exit(failures > 0 ? 1 : 0)
  }

  /// Every seed in a world of its own, several at a time; in the order of the seeds.
  private static func outcomes(_ options: SoakOptions) async -> [Outcome] {
    let share: UInt64 = 64
    return await withTaskGroup(of: (UInt64, [Outcome]).self) { group in
      for start in stride(from: 0, to: options.seeds, by: UInt64.Stride(share)) {
        group.addTask {
          (start, (start..<min(start + share, options.seeds)).map { Outcome(ofSeed: options.from + $0, options) })
        }
      }
      var parts: [(UInt64, [Outcome])] = []
      for await part in group { parts.append(part) }
      return parts.sorted { $0.0 < $1.0 }.flatMap(\.1)
    }
  }
}
