/// Why an attempt at a transfer, or the whole transfer, came to nothing.
public struct TransferFailure: Error, Hashable, Sendable {
  /// What a program can act on. The raw value is its name in the database and on the wire.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The URL cannot be used: not absolute, not HTTP or HTTPS.
    case badURL
    /// The host's name has no address just now.
    case cannotFindHost
    /// No connection could be made.
    case cannotConnect
    /// There is no network.
    case notConnected
    /// The connection broke before the last byte.
    case connectionLost
    /// Nothing moved for the request timeout.
    case timedOut
    /// TLS could not be agreed on.
    case secureConnectionFailed
    /// The server's certificate is not for this host, or no trusted authority vouches for it.
    case certificateUntrusted
    /// The server's certificate, or one that vouches for it, is no longer valid.
    case certificateExpired
    /// The server's certificate, or one that vouches for it, is not valid yet.
    case certificateNotYetValid
    /// The server insists on a certificate of ours, and there is none.
    case clientCertificateRequired
    /// The redirects go in circles or on for too long.
    case tooManyRedirects
    /// A redirect leads nowhere that can be followed.
    case badRedirect
    /// The server's answer breaks HTTP: a wrong length or range, endless headers, no answer at all.
    case badServerResponse
    /// The server says that it is busy or broken for now (408, 425, 429, 500, 502, 503, 504).
    case serverBusy
    /// The disk is full, or nearly, or the system has no room for another open file.
    case diskFull
    /// The staging area, which is missing or read-only, or a destination's folder cannot be written.
    case cannotWrite
    /// The file to upload cannot be read.
    case cannotReadSource
    /// The file to upload is no longer the file that was queued.
    case sourceChanged
    /// A file stands at the destination and may not be replaced.
    case destinationExists
    /// The file came whole, twice, and does not have the checksum that was given for it.
    case checksumMismatch
    /// The resource timeout has passed.
    case resourceTimedOut
    /// The client cancelled it.
    case cancelled
    /// A person cancelled it, and not the app that it belongs to.
    case cancelledByPerson
    /// The app it belonged to was removed.
    case appRemoved
  }

  /// What a program can act on.
  public var code: Code
  /// What a person can read: what happened, where, and what to do about it if anything.
  public var detail: String

  /// The network that was there and that the transfer might not use, if it waited in vain for another; nil otherwise.
  public var forbidden: ForbiddenNetwork?

  /// A network that a transfer may not use. The raw value is its name in the database and on the wire.
  public enum ForbiddenNetwork: String, Hashable, Sendable, CaseIterable {
    /// A cellular one.
    case cellular
    /// One that costs money.
    case expensive
    /// One on which the person saves data.
    case constrained
  }

  /// A failure in both forms.
  public init(_ code: Code, _ detail: String, forbidden: ForbiddenNetwork? = nil) {
    (self.code, self.detail, self.forbidden) = (code, detail, forbidden)
  }
}

/// How a transfer ended.
public enum Outcome: Hashable, Sendable {
  /// The server answered to the last byte; the status may be any.
  case succeeded(Response, StagedFile)
  /// It will not be tried again.
  case failed(TransferFailure)

  /// Whether it failed.
  public var hasFailed: Bool { if case .failed = self { true } else { false } }
}
