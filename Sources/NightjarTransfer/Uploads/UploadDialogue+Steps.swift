import NightjarModel

extension UploadDialogue {
  /// What the present request is for.
  enum Step: Hashable {
    /// The whole file to where the client wants it; without a version, as if nobody had ever heard of the draft.
    case create(UploadVersion?)
    /// Its first so many bytes, because the server takes no more at a time.
    case createPart(UploadVersion, count: Int64)
    /// How many bytes does the upload resource have?
    case inquire
    /// These bytes, which follow those that it has.
    case append(Range<Int64>)
  }

  /// What is to be done with an answer.
  enum Consequence: Hashable {
    /// It is the answer to the upload as a whole.
    case answer
    /// It is of no interest; the next step is to be asked.
    case next
    /// The server has the whole, and its answer was lost.
    case complete
    /// The server may have carried out what must not be carried out twice, and nobody can say whether it has.
    case unanswered(TransferFailure)
    /// The attempt has failed.
    case fail(TransferFailure, retryAfter: Duration?)
  }

  /// What an interim answer tells.
  enum News: Hashable {
    /// Nothing.
    case none
    /// The server has more, or can go on from now on.
    case acknowledged
    /// The server can go on, and takes less with one request than is being sent: the request is to be broken off.
    case tooMuch
  }
}
