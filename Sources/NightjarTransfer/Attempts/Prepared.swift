import NightjarModel

/// The files of an attempt, opened and found fit.
struct Prepared: Sendable {
  var part: StagedPart
  /// The file that an upload sends. If it lies on a mount of its own, it is yet to be opened.
  var source = UploadSource()

  /// Makes a new file for a download that has nothing yet. Nil if more has to be done, which may block for longer.
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
      source.mount = tools.fileSystems.mount(of: path)
      if source.mount == nil {  // An app's container lies beside the staging area.
        source.file = try area.blaming { () throws(TransferFailure) -> SourceFile in try SourceFile(path, stamp) }
      }
      part = try StagedPart.open(area.reply(order.id), in: area, resume: nil)
    }
  }
}
