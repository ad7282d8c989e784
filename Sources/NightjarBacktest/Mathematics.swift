import Foundation

/// A power of a positive number.
func power(_ base: Double, _ exponent: Double) -> Double { Foundation.pow(base, exponent) }

/// The natural logarithm of a positive number.
func ln(_ number: Double) -> Double { Foundation.log(number) }
