extension Fixtures {
  /// For `localhost` and the loopback addresses, self-signed.
  public static let stranger = Identity(
    certificate: """
      -----BEGIN CERTIFICATE-----
      MIIBsTCCAVagAwIBAgIUReN3y0zCdYSAlsQPkoO8kjSaHaAwCgYIKoZIzj0EAwIw
      FTETMBEGA1UEAwwKQSBzdHJhbmdlcjAgFw0yNjExMjEyMjA5NTZaGA8yMTI2MTAy
      ODIyMDk1NlowFTETMBEGA1UEAwwKQSBzdHJhbmdlcjBZMBMGByqGSM49AgEGCCqG
      SM49AwEHA0IABCCXRq8nICWqBi6401TFoiUmxJe7OUb4d6LTpmHElsXv9SlaqtZc
      bQeat9OfJ0p0VG/5XAwGDxrZNRSD90ECMdGjgYEwfzAdBgNVHQ4EFgQUwUvWycuB
      w0TxErEkZhMrBAAPTbQwHwYDVR0jBBgwFoAUwUvWycuBw0TxErEkZhMrBAAPTbQw
      DwYDVR0TAQH/BAUwAwEB/zAsBgNVHREEJTAjgglsb2NhbGhvc3SHBH8AAAGHEAAA
      AAAAAAAAAAAAAAAAAAEwCgYIKoZIzj0EAwIDSQAwRgIhAOzIbZSitwjUNT9h6kkf
      veXXhgO71xJgt176ErG/BbJZAiEA0Mwy+OsTGs7b88t/HmHbhERHg/lqSRU5fhKQ
      j8MfkNE=
      -----END CERTIFICATE-----
      """,
    key: """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRVOzGk2SQJ8HFOTQ
      K1htDF2oTTnjcQdsSYbjXdl+ESehRANCAAQgl0avJyAlqgYuuNNUxaIlJsSXuzlG
      +Hei06ZhxJbF7/UpWqrWXG0HmrfTnydKdFRv+VwMBg8a2TUUg/dBAjHR
      -----END PRIVATE KEY-----
      """)

  /// For `localhost` and the loopback addresses, self-signed and valid in the year 2020 only.
  static let expired = Identity(
    certificate: """
      -----BEGIN CERTIFICATE-----
      MIIBZTCCAQygAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
      c3QwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAls
      b2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARuoAmdZpb4XQ2XtZGe
      kshKgy581ERTrsGRAxYUMcFtnJnM8LWvo0+ScG3wxMFzB8pHdYPJCZOdkmNtwTvW
      ZK7Mo08wTTAsBgNVHREEJTAjgglsb2NhbGhvc3SHBH8AAAGHEAAAAAAAAAAAAAAA
      AAAAAAEwHQYDVR0OBBYEFMg8iFEu5GbgZSj/ew1Be6VKaJqVMAoGCCqGSM49BAMC
      A0cAMEQCIFA7CvM64Y4om6CVTxWx/mmxTclA1FSUHz8H15Bo4IlVAiAayb1cN6Av
      cH5Rj2dH+RlgnbLlw5YbNM1gs//2t2pxWw==
      -----END CERTIFICATE-----
      """,
    key: """
      -----BEGIN EC PRIVATE KEY-----
      MHcCAQEEIH/T4L7M5SXev0Z1cytEvfn4DlFBmAV77sZ7HcGwpUHfoAoGCCqGSM49
      AwEHoUQDQgAEbqAJnWaW+F0Nl7WRnpLISoMufNREU67BkQMWFDHBbZyZzPC1r6NP
      knBt8MTBcwfKR3WDyQmTnZJjbcE71mSuzA==
      -----END EC PRIVATE KEY-----
      """)

  /// The client certificate for a server that asks for one.
  public static let visitor = Identity(
    certificate: """
      -----BEGIN CERTIFICATE-----
      MIIBgDCCASWgAwIBAgIUDF+E63iWHs5r3Aq+yMdH/9zIDE4wCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJQSB2aXNpdG9yMCAXDTI2MTEyMTIyMDk1NloYDzIxMjYxMDI4
      MjIwOTU2WjAUMRIwEAYDVQQDDAlBIHZpc2l0b3IwWTATBgcqhkjOPQIBBggqhkjO
      PQMBBwNCAARu6cCLI5zHQ+8ozdAZG4OpQYNmgqObYnhyv7AurnyZRDDiL/Uqef7O
      XnBk2Nlm3QCatDAILWyDB4JlfgE0RQQOo1MwUTAdBgNVHQ4EFgQUnYWZP2dXbrt7
      8jthA1MBFT6V3mMwHwYDVR0jBBgwFoAUnYWZP2dXbrt78jthA1MBFT6V3mMwDwYD
      VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEArR0ccKvNg2s/EtL0IfoS
      buAedHoS+/3wEk+08oHwE/MCIQDLEcFus8a1nAc6ag3xM1Ng+fj2hid0J9VOJ6gU
      eFuB2g==
      -----END CERTIFICATE-----
      """,
    key: """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggvLVtfw7W1CqVGOF
      QkWNZpel9LrNG+Xu0VcNrYNZJ5uhRANCAARu6cCLI5zHQ+8ozdAZG4OpQYNmgqOb
      Ynhyv7AurnyZRDDiL/Uqef7OXnBk2Nlm3QCatDAILWyDB4JlfgE0RQQO
      -----END PRIVATE KEY-----
      """)
}
