import NightjarModel

/// What decides on an app's side whether it may be woken for an errand, whatever that is worth. It is small and quickly
/// compared: while it is the same, nothing has changed of the app that the rule goes by.
struct Availability: Equatable, Sendable {
  let isBundle: Bool
  /// Whether it declares the background modes that errands take.
  let declaresFetch: Bool
  let declaresProcessing: Bool
  /// Whether it is to be removed, as soon as it has ended.
  let isLeaving: Bool
  /// Whether it is at an errand, or about to be woken for one.
  let isBusy: Bool
  /// Whether a person has removed it from the switcher, and whether a person lets it be refreshed.
  let isRemoved: Bool
  let refreshes: Bool
  let isInForeground: Bool
  /// Whether it has to be launched or woken; if so, up to when it is left alone, and its launches are paid for.
  let isIdle: Bool
  let notBefore: Age?
  let paidUntil: Age?

  /// Whether it declares the background mode that such an errand takes.
  func declares(_ kind: Errand.Kind) -> Bool {
    switch kind {
    case .fetch, .refresh: declaresFetch
    case .processing: declaresProcessing
    }
  }
}

extension App {
  /// What decides on its side whether it may be woken for an errand.
  var availability: Availability {
    Availability(
      isBundle: isBundle, declaresFetch: declares(.fetch), declaresProcessing: declares(.processing),
      isLeaving: removalTickets != nil, isBusy: wakes.hasErrand, isRemoved: record.card.isRemoved,
      refreshes: record.settings.refreshes, isInForeground: isInForeground, isIdle: isIdle,
      notBefore: record.notBefore, paidUntil: record.paidUntil)
  }
}
