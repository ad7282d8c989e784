import NightjarModel

extension Attempt {
  /// The answer to the present request, as far as it has come. Each request begins with a new one.
  struct PresentAnswer {
    /// Whether its head was reported. The parts of one file that are asked for one after the other share one head.
    var isTold = false
    var hearing = Hearing.head
    /// Whether all of an upload's file had left when the head came, so that this is the answer to the whole.
    var coversWhole = false
    /// Whether the server says that it has all of the file, however much has left in this attempt.
    var saysComplete = false
    /// Where in the file it ends, if it is a part of it.
    var partEnd: Int64?
    /// Decodes the body; nil for a plain one.
    var decoder: BodyDecoder?
    /// Whether bytes of a coded body wait for another turn of the event loop to be unfolded.
    var isUnfolding = false
    /// The head, if the answer ended while the file was being emptied, or while bytes before its end were unfolded or
    /// written. Then the exchange is over, and no other begins before the end is taken in.
    var endedEarly: Response?
  }

  /// What the rest of the present answer is for.
  enum Hearing {
    /// The head is still to come.
    case head
    /// The body goes to the file; at its end the transfer is finished.
    case body(Response)
    /// The body is of no use; at its end this happens.
    case unwanted(Next)
  }

  enum Next {
    case requestAgain, ask(Challenge), fail(TransferFailure, retryAfter: Duration?), giveUp(TransferFailure),
      finish(Response)
  }
}
