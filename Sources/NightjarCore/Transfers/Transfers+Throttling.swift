import NightjarModel

/// Hosts that ask for fewer requests (429 or 503 with `Retry-After`): until then nothing more is started with them for
/// the app that heard it, since each of its waiting transfers would only be told the same.
///
/// The wish is believed for a while only (``Limits/throttleMax``), as it may have been meant for one URL. Other apps
/// find out for themselves, and what is under way goes on.
extension Transfers {
  /// Closes a lane for as long as its host wishes.
  mutating func rest(_ lane: Lanes.Lane, for wish: Duration, at now: Age) {
    let end = now + min(wish, limits.throttleMax)
    guard end > rests.due(of: lane) ?? now else { return }
    rests.set(lane, due: end)
    lanes.close(lane, true)
  }

  /// Opens the lane of a transfer, since a person wants its host to be asked again.
  mutating func endRest(for id: TransferID) {
    guard let lane = self[id]?.lane, rests.due(of: lane) != nil else { return }
    rests.set(lane, due: nil)
    lanes.close(lane, false)
  }
}
