import NightjarModel

extension NoticeRequest {
  /// - Throws: `invalid` or `limitReached`, saying what to do.
  func check(_ limits: Limits) throws(Refusal) {
    guard textBytes <= limits.noticeTextMax else {
      throw .limitReached(what: "bytes of a notification's texts", limit: limits.noticeTextMax)
    }
    if let time, !Timestamp.onCalendar.contains(time.at) {
      throw .invalid(field: "at", reason: "a notification is due in the years 1900 to 2199")
    }
    if let zone = time?.zone, zone.offset.magnitude > 86_400 {
      throw .invalid(field: "offset", reason: "no time zone is more than a day away from UTC")
    }
    if let time {
      try time.checkStep()
      try time.checkDays()
    }
  }
}

extension NoticeTime {
  /// - Throws: `invalid` for repetitions that are no time apart, or too far.
  fileprivate func checkStep() throws(Refusal) {
    guard isStepSound else {
      throw .invalid(
        field: "every", reason: "repetitions are at least one interval apart, and at most two hundred years")
    }
    guard days.isEmpty || step == 1 else {
      throw .invalid(field: "every", reason: "days are those of repetitions, and are not counted by `every`")
    }
  }

  /// - Throws: `invalid` or `limitReached` for days that are not those of repetitions.
  fileprivate func checkDays() throws(Refusal) {
    guard let last = days.last else { return }
    guard interval != nil else {
      throw .invalid(field: "days", reason: "days are those of repetitions, and need an interval")
    }
    guard days.count <= Self.daysMax else {
      throw .limitReached(what: "days of a notification", limit: Self.daysMax)
    }
    guard zip([reading.date.number] + days, days).allSatisfy({ $0 < $1 }) else {
      throw .invalid(field: "days", reason: "each day is later than the one before, and the first later than `at`")
    }
    guard CalendarDay.numbersOnCalendar.contains(last) else {
      throw .invalid(field: "days", reason: "a notification is due in the years 1900 to 2199")
    }
  }

  /// Months of twenty years.
  private static var daysMax: Int { 240 }
}
