/// What the engine is asked to do: one attempt at one transfer.
public struct TransferOrder: Hashable, Sendable {
  /// The transfer, which also names its file in the staging area.
  public var id: TransferID
  /// Which attempt this is; every fact about it carries the number back.
  public var attempt: Int
  /// What the client asked for.
  public var request: TransferRequest
  /// Where to go on from; nil to begin at the first byte.
  public var resume: ResumePoint?
  /// Whether a busy server's answer (408, 425, 429, 500, 502, 503, 504) is reported as an interruption.
  /// Otherwise it is an answer like any other, its body the file.
  public var retriesServerErrors: Bool
  /// Whether a busy server that does not tell how much of an upload it has is asked for that again, later. Otherwise
  /// the upload begins again, if its method may be carried out twice.
  public var asksForOffset = true
  /// What may be asked; an attempt that finds out that it has to ask ends with ``TransferFact/asked(_:)``.
  public var asks = Asks.nothing
  /// What was decided so far, about this transfer or for its session.
  public var answers: [Answered] = []

  /// An order for one attempt.
  public init(
    id: TransferID, attempt: Int, request: TransferRequest, resume: ResumePoint? = nil, retriesServerErrors: Bool = true
  ) {
    (self.id, self.attempt, self.request) = (id, attempt, request)
    (self.resume, self.retriesServerErrors) = (resume, retriesServerErrors)
  }
}

/// How far a transfer had come: the bytes of a download that are synced to the disk, or those of an upload that the
/// server has acknowledged.
public struct ResumePoint: Hashable, Sendable {
  /// Bytes that are safe: in the staged file, or with the server.
  public var offset: Int64
  /// The version of the resource that a download's bytes belong to; without one nothing can be resumed.
  public var validator: Validator?
  /// The whole length, where it is known.
  public var length: Int64?
  private var kept = Kept.nothing

  /// A point to go on from.
  public init(offset: Int64, validator: Validator?, length: Int64?, upload: UploadResource? = nil) {
    (self.offset, self.validator, self.length) = (offset, validator, length)
    self.upload = upload
  }

  /// What the server keeps of an upload; without it an upload begins again.
  public var upload: UploadResource? {
    get { if case .upload(let resource) = kept { resource } else { nil } }
    set {
      if let newValue { kept = .upload(newValue) } else if upload != nil { kept = .nothing }
    }
  }

  /// Another transfer, in whose staged file the bytes still lie: the first attempt takes the file over. Nil if they do
  /// not.
  public var heritage: TransferID? {
    get { if case .file(_, let id) = kept { id } else { nil } }
    set { keepFile(from: provenance, in: newValue) }
  }

  /// Where a download's bytes have come from; nil if that is unknown.
  public var provenance: Provenance? {
    get { if case .file(let provenance, _) = kept { provenance } else { nil } }
    set { keepFile(from: newValue, in: heritage) }
  }

  private mutating func keepFile(from provenance: Provenance?, in heritage: TransferID?) {
    if provenance != nil || heritage != nil {
      kept = .file(provenance, heritage)
    } else if upload == nil {
      kept = .nothing
    }
  }

  /// Boxed, so that the many transfers without it need no space for it.
  private indirect enum Kept: Hashable, Sendable {
    case nothing
    case upload(UploadResource)
    case file(Provenance?, TransferID?)
  }
}

/// What the engine reports about an attempt. After `finished`, `failed`, `unanswered`, `asked` or `stopped` nothing
/// more comes.
public enum TransferFact: Hashable, Sendable {
  /// Bytes moved so far; thinned out, never a promise about the disk. `expected` is the whole length, where it is
  /// known; for an upload the count is of bytes that left.
  case progressed(count: Int64, expected: Int64?)
  /// The server has sent an interim answer (1xx but 101; RFC 9110, section 15.2), one of the first few in an attempt;
  /// or, once, the head of the final answer, where its body takes its time. For clients that listen; without the place
  /// where an upload can be resumed.
  case informed(Response)
  /// The staged file is synced up to here, or the server has acknowledged this much of an upload that can be resumed.
  /// An offset lower than an earlier one means that the transfer began again.
  case checkpointed(ResumePoint)
  /// The host that the URL names asks for less: it has answered 429 or 503, and wishes to be left alone for so long
  /// (RFC 6585, section 4; RFC 9110, section 10.2.3). What becomes of the attempt itself is another fact.
  case throttled(for: Duration)
  /// What was measured of the attempt; comes right before its end.
  case measured(TransferMetrics)
  /// The last byte is there. A download's file (and an upload's reply) lies synced in the staging area, its folder too.
  /// How much of an upload has left was told before with `progressed`: not all of it, if the answer came first.
  case finished(Response, StagedFile)
  /// The attempt has ended without success; whether to retry is for the core to decide. `retryAfter` is the server's
  /// own wish (RFC 9110, section 10.2.3).
  case failed(TransferFailure, retryAfter: Duration?)
  /// The attempt has ended, and there must be no other: the server may have carried out a request that must not be
  /// carried out twice. All of it had left, and no whole answer has come; or what it has led to cannot be had or kept.
  case unanswered(TransferFailure)
  /// The attempt cannot go on without an answer and has ended; what came is kept as after a failure.
  case asked(Question)
  /// The attempt was stopped as ordered; the resume point is the last that was checkpointed.
  case stopped
}

/// A finished file in the staging area.
public struct StagedFile: Hashable, Sendable {
  /// Its absolute path.
  public var path: String
  /// What it looked like once it was synced.
  public var stamp: FileStamp

  /// A staged file as it was left.
  public init(path: String, stamp: FileStamp) { (self.path, self.stamp) = (path, stamp) }
}

/// The daemon's own delivery of a finished file to its destination.
public struct DeliveryOrder: Hashable, Sendable {
  /// The transfer whose staged file goes.
  public var id: TransferID
  /// Which attempt at the delivery this is.
  public var attempt: Int
  /// Where the file lies.
  public var file: StagedFile
  /// Where it goes.
  public var destination: Destination

  /// An order to deliver one file.
  public init(id: TransferID, attempt: Int, file: StagedFile, destination: Destination) {
    (self.id, self.attempt, self.file, self.destination) = (id, attempt, file, destination)
  }
}

/// What became of a delivery.
public enum DeliveryFact: Hashable, Sendable {
  /// The file stands at its destination, whole and synced with its folder. Delivering it twice is harmless.
  case delivered
  /// The file could not be delivered; the staged file is as it was.
  case failed(TransferFailure)
}
