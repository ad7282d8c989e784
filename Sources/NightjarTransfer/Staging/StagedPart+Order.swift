import NightjarModel

extension StagedPart {
  /// A new file for a download that has nothing yet. Nil if there is more to be done, for which one may have to wait.
  static func new(
    for order: TransferOrder, in area: StagingArea, freeSpaceMin: Int64
  ) throws(TransferFailure) -> StagedPart? {
    guard !order.request.isUpload, order.resume == nil, let part = try create(area.part(order.id), in: area)
    else { return nil }
    try part.file.checkSpace(for: 0, beyond: freeSpaceMin)
    return part
  }

  /// The file that an attempt writes to, opened and found fit: a download's, or one for the answer to an upload.
  static func open(
    for order: TransferOrder, in area: StagingArea, freeSpaceMin: Int64
  ) throws(TransferFailure) -> StagedPart {
    let part: StagedPart
    switch order.request.direction {
    case .download:
      if let heritage = order.resume?.heritage { area.pass(on: heritage, to: order.id) }
      let resume = order.request.isResumable ? order.resume : nil
      part = try open(area.part(order.id), in: area, resume: resume)
    case .upload:
      part = try open(area.reply(order.id), in: area, resume: nil)
    }
    try part.file.checkSpace(for: 0, beyond: freeSpaceMin)
    return part
  }
}

extension OpenFile {
  /// Refuses to go on when so many more bytes would leave less free space than is to be left alone.
  func checkSpace(for bytes: Int64, beyond spare: Int64) throws(TransferFailure) {
    guard let free = freeSpace(), free - spare < bytes else { return }
    throw TransferFailure(
      .diskFull,
      "\(free >> 20) MiB are free for \(path), which needs \(bytes >> 20) MiB and \(spare >> 20) MiB to spare")
  }
}
