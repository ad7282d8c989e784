/// Which header fields speak for a client, and so go to nobody but the origin that they were given for.
package enum CredentialFields {
  /// Words in the names of such fields: HTTP's own, and what applications commonly call theirs (`X-Api-Key`,
  /// `PRIVATE-TOKEN`, `X-Amz-Security-Token`). One field too few at a stranger's does less harm than one too many.
  private static let words = [
    "authorization", "cookie", "token", "secret", "api-key", "apikey", "password", "credential", "auth-",
  ]

  /// Whether a field of this name speaks for the client.
  package static func contains(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix("-auth") || words.contains { name.contains($0) }
  }
}
