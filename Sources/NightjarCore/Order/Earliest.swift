/// The earlier of two points, of which there may be one or none.
func earliest<Point: Comparable>(_ a: Point?, _ b: Point?) -> Point? {
  guard let a, let b else { return a ?? b }
  return min(a, b)
}

/// The later of two.
func latest<Point: Comparable>(_ a: Point?, _ b: Point?) -> Point? {
  guard let a, let b else { return a ?? b }
  return max(a, b)
}
