// Functions and constants that code for Apple's systems uses and Foundation on Linux lacks.

/// Runs the body. Without Objective-C there is no pool to drain.
public func autoreleasepool<Value>(invoking body: () throws -> Value) rethrows -> Value { try body() }

/// Nanoseconds in a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
/// Nanoseconds in a millisecond.
public let NSEC_PER_MSEC: UInt64 = 1_000_000
/// Nanoseconds in a microsecond.
public let NSEC_PER_USEC: UInt64 = 1_000
/// Microseconds in a second.
public let USEC_PER_SEC: UInt64 = 1_000_000
