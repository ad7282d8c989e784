/// The header fields that carry a client's credentials, and so go only to the origin that they were given for.
package enum CredentialFields {
  /// Words in the names of such fields: HTTP's own, and what applications commonly call theirs (`X-Api-Key`,
  /// `PRIVATE-TOKEN`, `X-Amz-Security-Token`). Withholding one field too many does less harm than sending a stranger
  /// one.
  private static let words = [
    "authorization", "cookie", "token", "secret", "api-key", "apikey", "password", "credential", "auth-",
  ]

  /// Whether a field of this name carries credentials.
  package static func contains(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix("-auth") || words.contains { name.contains($0) }
  }
}
