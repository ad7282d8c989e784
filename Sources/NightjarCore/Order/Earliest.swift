/// The earlier of two points, or the only one; nil if there is neither.
func earliest<Point: Comparable>(_ a: Point?, _ b: Point?) -> Point? {
  guard let a, let b else { return a ?? b }
  return min(a, b)
}

/// The later of two points, or the only one; nil if there is neither.
func latest<Point: Comparable>(_ a: Point?, _ b: Point?) -> Point? {
  guard let a, let b else { return a ?? b }
  return max(a, b)
}
