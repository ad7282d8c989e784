import NightjarModel

/// The files of an attempt, opened and found fit.
struct Prepared: Sendable {
  var part: StagedPart
  /// What an upload sends, if it lies where it may be touched on the file threads.
  var source: SourceFile?
  /// Where it lies otherwise: it is yet to be opened.
  var sourceMount: FileSystems.Mount?

  /// A new file for a download that has nothing yet. Nil if there is more to be done, for which one may have to wait.
  init?(atOnce order: TransferOrder, _ tools: Tools) throws(TransferFailure) {
    guard !order.request.isUpload, order.resume == nil,
      let part = try StagedPart.create(tools.area.part(order.id), in: tools.area)
    else { return nil }
    self.part = part
  }

  init(_ order: TransferOrder, _ tools: Tools) throws(TransferFailure) {
    let area = tools.area
    switch order.request.direction {
    case .download:
      if let heritage = order.resume?.heritage { area.pass(on: heritage, to: order.id) }
      let resume = order.request.isResumable ? order.resume : nil
      part = try StagedPart.open(area.part(order.id), in: area, resume: resume)
    case .upload(let path, let stamp):
      sourceMount = tools.fileSystems.mount(of: path)
      if sourceMount == nil { source = try SourceFile(path, stamp) }
      part = try StagedPart.open(area.reply(order.id), in: area, resume: nil)
    }
  }
}

extension OpenFile {
  /// Whether there is less free than is to be left alone, whoever has taken it.
  func isShort(of spare: Int64) -> Bool { freeSpace().map { $0 < spare } ?? false }

  /// Refuses to go on when so many more bytes would leave less free space than is to be left alone.
  func checkSpace(for bytes: Int64, beyond spare: Int64) throws(TransferFailure) {
    guard let free = freeSpace(), !Self.hasRoom(in: free, for: bytes, beyond: spare) else { return }
    throw .noRoom(for: bytes, of: path, in: free, beyond: spare)
  }

  /// Whether so much free space holds so many more bytes, and what is to be left alone. A sum that no number holds is
  /// too much for any.
  static func hasRoom(in free: Int64, for bytes: Int64, beyond spare: Int64) -> Bool {
    let (needed, overflows) = bytes.addingReportingOverflow(spare)
    return !overflows && needed <= free
  }
}
