import NightjarModel

/// The files of an attempt, opened and found fit.
struct Prepared: Sendable {
  var part: StagedPart
  /// What an upload sends, if it lies where it may be touched on the file threads.
  var source: SourceFile?
  /// Where it lies otherwise: it is yet to be opened.
  var sourceMount: FileSystems.Mount?

  init(part: StagedPart) { self.part = part }

  /// Blocks.
  init(_ order: TransferOrder, _ tools: Tools) throws(TransferFailure) {
    if case .upload(let path, let stamp) = order.request.direction {
      sourceMount = tools.fileSystems.mount(of: path)
      if sourceMount == nil { source = try SourceFile(path, stamp) }
    }
    part = try StagedPart.open(for: order, in: tools.area, freeSpaceMin: tools.settings.freeSpaceMin)
  }
}
