/// Certificates for tests, made once with openssl and valid for 100 years. Nobody should ever trust them elsewhere: the
/// private keys are public here.
public enum Fixtures {
  /// The authority that signed both server certificates, as PEM.
  public static let authority = """
    -----BEGIN CERTIFICATE-----
    MIIBrDCCAVGgAwIBAgIUdyfhNWvV+fqm2ltWC9Lvy0OjD24wCgYIKoZIzj0EAwIw
    IjEgMB4GA1UEAwwXTmlnaHRqYXIgdGVzdCBhdXRob3JpdHkwIBcNMjYxMTIxMDEy
    NTQxWhgPMjEyNjEwMjgwMTI1NDFaMCIxIDAeBgNVBAMMF05pZ2h0amFyIHRlc3Qg
    YXV0aG9yaXR5MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEfRQmvgrX3A+fXohd
    r2GuXznXMT7cDOREzV9rxYsrCH6ytfJNCVjWgyyV9vY0RPez0ZHa78hW2s52dpn3
    wP4C4KNjMGEwHQYDVR0OBBYEFJVhWm/vs0Y+AxbF6e30i1IIjazPMB8GA1UdIwQY
    MBaAFJVhWm/vs0Y+AxbF6e30i1IIjazPMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0P
    AQH/BAQDAgEGMAoGCCqGSM49BAMCA0kAMEYCIQCkYsKfW0YoCJR7QGYKIs6+VZaO
    JzxgudYO1uTF/wFGxAIhAI7kqIwFsLgrkhhMklPieuQbB7e5B1nbk2SpkutGz/1y
    -----END CERTIFICATE-----
    """

  /// For `localhost`, 127.0.0.1 and ::1.
  static let local = Identity(
    certificate: """
      -----BEGIN CERTIFICATE-----
      MIIBzDCCAXKgAwIBAgIUeEZWumjWckmhx0M5qHx0BtiU7sUwCgYIKoZIzj0EAwIw
      IjEgMB4GA1UEAwwXTmlnaHRqYXIgdGVzdCBhdXRob3JpdHkwIBcNMjYxMTIxMDEy
      NTQyWhgPMjEyNjEwMjgwMTI1NDJaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMG
      ByqGSM49AgEGCCqGSM49AwEHA0IABKdI19zQhShCR8lxgPv+MZguUZwNCHnwQdai
      cvR4PQRazs+YoVN2PFQo4/gDPtXhG2S7gwDcdb1EwCrGwDoa2GCjgZEwgY4wLAYD
      VR0RBCUwI4IJbG9jYWxob3N0hwR/AAABhxAAAAAAAAAAAAAAAAAAAAABMBMGA1Ud
      JQQMMAoGCCsGAQUFBwMBMAkGA1UdEwQCMAAwHQYDVR0OBBYEFKBG+LITptVc1CTf
      GR3NyvSh1yDQMB8GA1UdIwQYMBaAFJVhWm/vs0Y+AxbF6e30i1IIjazPMAoGCCqG
      SM49BAMCA0gAMEUCIQD0m4h7t9iz5+pyZTtsZQWHlWrO8HGmhptWgPAMSSs50wIg
      evWaIOqiTugjCHQnwbtfn+qZbpDciF7AKCYygzxFyYM=
      -----END CERTIFICATE-----
      """,
    key: """
      -----BEGIN EC PRIVATE KEY-----
      MHcCAQEEIGNcmyYZKpGI+wlx0qMG0GGSkA9wXL0x0by3Doh0iW4FoAoGCCqGSM49
      AwEHoUQDQgAEp0jX3NCFKEJHyXGA+/4xmC5RnA0IefBB1qJy9Hg9BFrOz5ihU3Y8
      VCjj+AM+1eEbZLuDANx1vUTAKsbAOhrYYA==
      -----END EC PRIVATE KEY-----
      """)

  /// For `elsewhere.example`, to which no test connects.
  static let elsewhere = Identity(
    certificate: """
      -----BEGIN CERTIFICATE-----
      MIIBwzCCAWmgAwIBAgIUeEZWumjWckmhx0M5qHx0BtiU7sYwCgYIKoZIzj0EAwIw
      IjEgMB4GA1UEAwwXTmlnaHRqYXIgdGVzdCBhdXRob3JpdHkwIBcNMjYxMTIxMDEy
      NTQyWhgPMjEyNjEwMjgwMTI1NDJaMBwxGjAYBgNVBAMMEWVsc2V3aGVyZS5leGFt
      cGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEMzmIqsTDP8Qq0GOG6lTUrYTv
      uKmgsk3C1IAy3TPXYwW5OrD8XX8TnzKnGY5QWbGoHGpiZ7x3u/XF3PIiE0fzcqOB
      gDB+MBwGA1UdEQQVMBOCEWVsc2V3aGVyZS5leGFtcGxlMBMGA1UdJQQMMAoGCCsG
      AQUFBwMBMAkGA1UdEwQCMAAwHQYDVR0OBBYEFAStw9KAUkJzR1KebpFE5NX3o0nF
      MB8GA1UdIwQYMBaAFJVhWm/vs0Y+AxbF6e30i1IIjazPMAoGCCqGSM49BAMCA0gA
      MEUCIQDIbcdNo1UZKJqcBtpJlGSs47/euykbfl/3rpezPY9r8wIgIEwnQGzPLFOK
      L687JKc72ZX8xa9XRDZLX8Wk9jCAlD4=
      -----END CERTIFICATE-----
      """,
    key: """
      -----BEGIN EC PRIVATE KEY-----
      MHcCAQEEIL4ZzLxGyP8Bth6DR/MikT92s2l6SjMxYVAcBkfqTFxMoAoGCCqGSM49
      AwEHoUQDQgAEMzmIqsTDP8Qq0GOG6lTUrYTvuKmgsk3C1IAy3TPXYwW5OrD8XX8T
      nzKnGY5QWbGoHGpiZ7x3u/XF3PIiE0fzcg==
      -----END EC PRIVATE KEY-----
      """)

  /// A certificate and its key, as PEM.
  public struct Identity: Sendable {
    /// The certificate.
    public let certificate: String
    /// Its key.
    public let key: String
  }
}
