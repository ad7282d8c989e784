/// One question at a time: who asks the same meanwhile waits for the same answer, and who asks something else comes
/// next and gets an answer of its own.
@MainActor
public final class Inquiries<Question: Equatable & Sendable, Answer: Sendable> {
  /// The question that was begun or queued last.
  private var last: (number: Int, question: Question, answer: Task<Answer, Never>)?
  private var count = 0

  public init() {}

  /// Whether any question has no answer yet.
  public var areOpen: Bool { last != nil }

  /// Answers a question, after those that came before it.
  ///
  /// - Parameter ask: How; not called if the last one to come has asked the same and has no answer yet.
  public func answer(to question: Question, _ ask: @escaping @MainActor () async -> Answer) -> Task<Answer, Never> {
    if let last, last.question == question { return last.answer }
    count += 1
    let (number, earlier) = (count, last?.answer)
    let answer = Task {
      _ = await earlier?.value
      let found = await ask()
      if self.last?.number == number { self.last = nil }
      return found
    }
    last = (number, question, answer)
    return answer
  }
}
