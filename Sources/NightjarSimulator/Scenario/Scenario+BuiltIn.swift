extension Scenario {
  /// The scenarios that need no file, by their names.
  public static let builtIn: [(name: String, text: String)] = [
    ("commuter", commuter), ("weekend", weekend), ("night-shift", nightShift), ("low-battery", lowBattery),
    ("flaky-network", flakyNetwork), ("new-phone", newPhone), ("traveller", traveller), ("summer-time", summerTime),
  ]

  /// A built-in scenario by its name; nil if there is none.
  public static func builtIn(_ name: String) -> Scenario? {
    guard let text = builtIn.first(where: { $0.name == name })?.text else { return nil }
    do { return try Scenario(text) } catch { preconditionFailure("the scenario '\(name)' is wrong: \(error)") }
  }

  private static let commuter = """
    title A commuter
    about Mail and news on the train, the weather before leaving, and a tunnel that takes the network away.
    days 14
    News changes every 2 h
    Mail changes every 40 min
    Weather changes every 3 h
    Transit changes every 20 min
    opens Weather at 07:05 on weekdays for 1 min
    opens Mail at 08:10 on weekdays for 6 min
    opens News at 08:20 on weekdays for 15 min
    opens Transit at 07:40 on weekdays give or take 5 min for 1 min
    opens Mail 6 times 09:00-17:00 on weekdays for 3 min
    opens Transit at 17:25 on weekdays for 1 min
    opens News at 17:50 on weekdays for 12 min
    opens Mail at 21:30 daily give or take 40 min
    opens News 2 times 10:00-20:00 on weekends for 10 min
    network cellular 07:50-08:40 on weekdays
    network lost 08:12-08:18 on weekdays
    network cellular 17:30-18:20 on weekdays
    charging 23:00-06:45
    battery lasts 18 h
    """

  private static let weekend = """
    title Weekdays and weekends
    about A person whose weekends look nothing like the week.
    days 21
    Games changes every 6 h
    Mail changes every 1 h
    Recipes changes every 1 day
    opens Mail at 09:00 on weekdays give or take 15 min
    opens Mail at 14:00 on weekdays give or take 30 min
    opens Games 6 times 10:00-23:00 on weekends for 25 min
    opens Recipes at 11:00 on weekends give or take 45 min
    opens Recipes at 17:00 on weekends give or take 45 min
    charging 23:30-08:00
    battery lasts 22 h
    """

  private static let nightShift = """
    title A night shift
    about Somebody who works while others sleep, and sleeps while they work.
    days 14
    Rota changes every 4 h
    News changes every 90 min
    opens Rota at 20:30 daily for 2 min
    opens News at 23:00 daily give or take 20 min
    opens News at 03:00 daily give or take 30 min for 10 min
    opens Rota at 06:10 daily for 1 min
    charging 08:00-15:00
    battery lasts 20 h
    """

  private static let lowBattery = """
    title A battery that does not last
    about A worn battery, low power mode every evening, and a charger only at night.
    days 10
    Chat changes every 15 min
    Mail changes every 1 h
    opens Chat 12 times 08:00-23:00 for 3 min
    opens Mail at 09:00 daily
    opens Mail at 20:00 daily
    battery lasts 9 h
    battery charges in 3 h
    charging 00:30-06:30
    low power 17:00-00:30
    """

  private static let flakyNetwork = """
    title A network that comes and goes
    about Days of a bad network, and one without any.
    days 10
    Mail changes every 45 min
    Maps changes every 1 day
    Mail fails 15%
    opens Mail 5 times 08:00-22:00 for 4 min
    opens Maps at 12:30 daily give or take 30 min
    opens Maps at 18:00 daily give or take 30 min
    network flaky 08:00-20:00
    network lost on day 6 00:00-24:00
    """

  private static let newPhone = """
    title A new phone
    about Nothing is known on the first day; one app is removed from the switcher, one may not refresh.
    days 7
    Mail changes every 30 min
    Photos changes every 12 h
    Social changes every 5 min
    Archive never changes
    opens Mail at 08:00 daily
    opens Mail at 13:00 daily
    opens Photos at 19:00 daily give or take 1 h
    opens Social 10 times 07:00-23:00 for 8 min
    opens Archive at 10:00 on Monday and Thursday
    removes Photos from the switcher on day 4 at 20:30
    refresh off for Social on day 5 at 12:00
    charging 22:30-07:00
    """

  private static let traveller = """
    title A traveller
    about Nine hours ahead on the fifth day: habits follow the clock on the wall.
    days 12
    Mail changes every 1 h
    News changes every 2 h
    time zone +01:00
    time zone +10:00 on day 5 at 14:00
    opens Mail at 08:00 daily give or take 15 min
    opens News at 08:20 daily give or take 15 min
    opens Mail at 18:00 daily give or take 20 min
    network lost on day 5 14:00-24:00
    network metered on days 6-12 00:00-24:00
    charging 23:00-06:30
    """

  private static let summerTime = """
    title Summer time begins
    about Clocks go forward in the night to the second Sunday; habits follow them.
    days 21
    starts 2026-03-16
    time zone +01:00
    Mail changes every 1 h
    opens Mail at 07:30 daily give or take 5 min
    opens Mail at 19:00 daily give or take 5 min
    clocks forward on day 14
    charging 23:00-06:00
    """
}
