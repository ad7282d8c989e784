import NightjarModel

/// What facts are judged by: the bounds, the random bits that came with the event, and the present.
struct Circumstances {
  let bounds: Fixed<Limits>
  var entropy: UInt64
  var now: Age

  var limits: Limits { bounds.value }
}
