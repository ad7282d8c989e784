import NightjarModel

/// What the dialogue says in header fields, each version in its own words.
extension UploadDialogue {
  /// The header fields that the present request carries beside its own.
  var fields: [HTTPField] {
    switch step {
    case .create(nil): []
    case .create(let version?): named(version) + completing(true, version) + lengthField(version)
    case .createPart(let version, _): named(version) + completing(false, version) + lengthField(version)
    case .inquire: (resource?.version).map(named) ?? []
    case .append(let range): (resource?.version).map { appending(range, $0) } ?? []
    }
  }

  private func appending(_ range: Range<Int64>, _ version: UploadVersion) -> [HTTPField] {
    let type = version >= .six ? [HTTPField("Content-Type", UploadField.partialUpload)] : []
    return named(version) + completing(range.upperBound == length, version)
      + [HTTPField(UploadField.offset, "\(range.lowerBound)")] + type
  }

  private func named(_ version: UploadVersion) -> [HTTPField] {
    [HTTPField(UploadField.version, "\(version.rawValue)")]
  }

  private func completing(_ isWhole: Bool, _ version: UploadVersion) -> [HTTPField] {
    version >= .five
      ? [HTTPField(UploadField.complete, isWhole ? "?1" : "?0")]
      : [HTTPField(UploadField.incomplete, isWhole ? "?0" : "?1")]
  }

  private func lengthField(_ version: UploadVersion) -> [HTTPField] {
    version >= .six ? [HTTPField(UploadField.length, "\(length)")] : []
  }
}
