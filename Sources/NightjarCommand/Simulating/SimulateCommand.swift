import ArgumentParser
import NightjarPictures
import NightjarSimulator

/// `nightjar simulate`.
struct SimulateCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Play days of use of made-up apps in a moment, and show when they would be refreshed.",
    discussion: """
      The apps and the person are made up; what decides is what the daemon runs: the same supervisor, forecast and rule, in \
      virtual time. The same scenario and seed give the same result, byte for byte. No daemon is asked.

      A scenario is one of those that --list names, or a file with one sentence a line. A name of several words, or \
      one that contains a keyword, such as "Always on", stands in double quotes; # outside of them begins a comment. \
      Begin with one that there is: nightjar simulate commuter --text > mine.txt

        title A week                            about What it shows
        days 14                                 starts 2026-01-05
        Mail changes every 40 min               Mail never changes
        Mail fetches every 2 h                  Mail never fetches
        Mail takes 3 s                          Mail receives 100 kB
        Mail fails 10%                          "Apple News" changes every 1 h
        opens Mail at 09:00 on weekdays give or take 20 min for 3 min
        opens Mail 5 times 08:00-22:00 on Saturday and Sunday
        fetch now Mail on day 2 at 12:00
        removes Mail from the switcher on day 3 at 20:00
        refresh off for Mail on day 3 at 12:00  refresh on
        network lost on Tuesday 10:00-12:00     or flaky, cellular, metered
        charging 23:00-07:00                    battery lasts 16 h
        low power 18:00-22:00                   battery charges in 2 h
        low data                                asleep 01:00-06:00
        time zone +01:00                        time zone +10:00 on day 5 at 14:00
        clocks forward on day 7                 clocks back on Sunday

      What is left out: a scenario has 7 days from Monday 2026-01-05 on, in UTC. A visit at a time comes up to 10 minutes \
      before or after it, visits by their number between 08:00 and 22:00, and each lasts 3 minutes, or what 'for' says, give or \
      take half of that. Acts without a time come at 00:00. Content changes each hour, and a fetch takes 3 s and 100 kB. \
      A device that is charged at times has a battery of 20 h.

      A file may be JSON instead: {"title": "A week", "days": 7, "lines": ["opens Mail at 09:00", …]}
      """)
  @OptionGroup var common: CommonOptions
  @Argument(help: ArgumentHelp("The name of a scenario, or a file.", valueName: "scenario"), completion: .file())
  var scenario: String?
  @Flag(help: "List the scenarios that need no file.") var list = false
  @Flag(help: "Print the scenario's text instead of playing it.") var text = false
  @Option(help: ArgumentHelp("Play so many days, instead of those that the scenario says.", valueName: "count"))
  var days: Int?
  @Option(
    help: ArgumentHelp("Whatever happens by chance follows from this number; 1 if none is given.", valueName: "number"))
  var seed: UInt64?
  @Option(
    help: ArgumentHelp("Draw what happened, as SVG.", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var picture: String?

  func validate() throws {
    guard list || scenario != nil else {
      throw ValidationError(
        "Name a scenario, such as: nightjar simulate commuter. 'nightjar simulate --list' lists them.")
    }
    if list, text || scenario != nil {
      throw ValidationError("--list lists all scenarios, without --text and without the name of one.")
    }
    if list || text, !ofPlaying.isEmpty {
      let options = ofPlaying.joined(separator: " and ")
      throw ValidationError("--\(list ? "list" : "text") plays nothing, so it goes without \(options).")
    }
    if picture == "" { throw ValidationError("--picture is empty; name a file, or leave it out.") }
    if let days, !(1...Scenario.daysMax).contains(days) {
      throw ValidationError("--days is \(days); it must be from 1 to \(Scenario.daysMax).")
    }
  }

  /// The given options about how to play.
  private var ofPlaying: [String] {
    let options: [(name: String, isGiven: Bool)] = [
      ("--days", days != nil), ("--seed", seed != nil), ("--picture", picture != nil),
    ]
    return options.filter(\.isGiven).map(\.name)
  }

  func run(in context: Context) async throws {
    if list { return try context.show(Listed.all, orLines: Listed.lines(in: context)) }
    let script = try Script(scenario ?? "", in: context.surroundings)
    if text { return try context.show(script, orLines: script.lines.flatMap(context.lines(ofOthers:))) }
    let scenario = try script.scenario(days: days)
    if let picture { try context.checkFolder(ofPicture: picture) }
    let chronicle = scenario.played(seed: seed ?? 1)
    let report = SimulationReport(chronicle)
    context.show(json: report.json, orLines: report.lines(in: context))
    if let picture { try context.draw(chronicle.picture(), to: picture) }
  }
}

extension SimulateCommand {
  /// A scenario that needs no file.
  struct Listed: Encodable {
    let name: String
    let days: Int
    let about: String

    static let all = Scenario.builtIn.map { name, _ in
      let scenario = Scenario.builtIn(name) ?? Scenario()
      return Listed(name: name, days: scenario.days, about: scenario.about)
    }

    static func lines(in context: Context) -> [String] {
      var table = Table([
        .init(heading: "NAME"), .init(heading: "DAYS", side: .right), .init(heading: "ABOUT", mayMoveBelow: true),
      ])
      for listed in all { table.append([.init(listed.name), .init("\(listed.days)"), .init(listed.about, .faint)]) }
      return context.lines(of: table, ifEmpty: "")
    }
  }
}
