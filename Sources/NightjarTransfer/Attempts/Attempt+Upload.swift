import NIOCore
import NightjarModel

/// How far the sending of a file has come.
struct UploadCourse {
  /// Where the next piece begins.
  var next: Int64
  /// Where the present request's part of the file ends.
  var end: Int64
  /// Bytes of the file that have left, in this request or an earlier one.
  var sent: Int64
  /// Pieces handed to the connection and not yet gone.
  var leaving = 0
  var isReading = false
  /// Whether the server has answered before the end and wants no more of it.
  var isCutShort = false

  static let leavingMax = 2

  init(_ stretch: Range<Int64> = 0..<0) {
    (next, end, sent) = (stretch.lowerBound, stretch.upperBound, stretch.lowerBound)
  }
}

/// How a file is sent: piece by piece, the next one read from the disk while the last ones leave.
extension Attempt {
  func beginUpload() {
    upload = UploadCourse(stretch ?? 0..<0)
    begins()
    if upload.sent == upload.end { allHasLeft() }
    pump()
  }

  func pump() {
    guard let file = source.file, let exchange, ending == nil else { return }
    guard !upload.isCutShort, !upload.isReading, !throttle.isOn else { return }
    guard upload.next < upload.end else { return exchange.endRequest() }
    guard upload.leaving < UploadCourse.leavingMax else { return }
    let (size, offset) = (min(pieceSize, Int(clamping: upload.end - upload.next)), upload.next)
    upload.isReading = true
    let (here, area) = (NIOLoopBound(exchange, eventLoop: loop), tools.area)
    onSource(.reading) { () throws(TransferFailure) in
      try area.blaming { () throws(TransferFailure) -> ByteBuffer in try file.piece(size, at: offset) }
    } then: { result in
      self.read(result, for: here.value)
    }
  }

  private func read(_ result: Result<ByteBuffer, TransferFailure>, for exchange: Exchange) {
    upload.isReading = false
    guard exchange === self.exchange, ending == nil, !upload.isCutShort else { return }
    switch result {
    case .failure(let failure): fail(failure)
    case .success(let piece):
      send(piece, on: exchange)
      pump()
    }
  }

  private func send(_ piece: ByteBuffer, on exchange: Exchange) {
    upload.next += Int64(piece.readableBytes)
    upload.leaving += 1
    exchange.send(piece, endsRequest: upload.next >= upload.end) { [self] count, isLast in
      guard exchange === self.exchange else { return }
      left(Int64(count))
      if isLast { pieceLeft() }
    }
    meter(piece.readableBytes)
  }

  /// A slice of a piece has left. However slow the link, that comes often enough to be no stall.
  private func left(_ count: Int64) {
    upload.sent += count
    measureSent(count)
    moved()
    if upload.sent == upload.end {
      allHasLeft()
      noteDeparture()
    }
    report(finalProgress: hasSentAll)  // The answer may take its time.
  }

  private func pieceLeft() {
    let isWaiting = upload.leaving == UploadCourse.leavingMax
    upload.leaving -= 1
    if isWaiting { pump() }
  }
}
