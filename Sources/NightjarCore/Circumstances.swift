import NightjarModel

/// What facts are judged by: the bounds, the chance that the event carried, and the present.
struct Circumstances {
  let bounds: Fixed<Limits>
  var entropy: UInt64
  var now: Age

  var limits: Limits { bounds.value }
}
