import Foundation
import Testing

@testable import Nightjar

/// The notifications of a center as a sequence.
@Suite(.timeLimit(.minutes(5))) struct NotificationSequenceTests {
  let center = NotificationCenter()
  let name = Notification.Name("film")

  @Test func `what is posted between the call and the loop is not lost`() async {
    let films = center.notifications(named: name)
    post(1)
    center.post(name: Notification.Name("book"), object: nil, userInfo: ["number": 2])
    post(3)

    let iterator = films.makeAsyncIterator()
    let heard = [number(await iterator.next()), number(await iterator.next())]

    #expect(heard == [1, 3])
  }

  @Test func `every iterator has what is posted after it was made`() async {
    let films = center.notifications(named: name)
    let (first, second) = (films.makeAsyncIterator(), films.makeAsyncIterator())

    post(1)

    #expect(number(await first.next()) == 1)
    #expect(number(await second.next()) == 1)
  }

  @Test func `only those of the object are heard where one is named`() async {
    let (mine, other) = (Sender(), Sender())
    let films = center.notifications(named: name, object: mine)

    post(1, of: other)
    post(2, of: mine)

    #expect(number(await films.makeAsyncIterator().next()) == 2)
  }

  @Test func `where too many wait, the oldest are left out`() async {
    let films = center.notifications(named: name)

    for film in 0...LinkLimits.notificationsMax { post(film) }

    #expect(number(await films.makeAsyncIterator().next()) == 1)
  }

  @Test func `a loop ends with its task`() async {
    let films = center.notifications(named: name)
    let watching = Task {
      var count = 0
      for await _ in films { count += 1 }
      return count
    }

    watching.cancel()

    #expect(await watching.value == 0)
  }

  @Test func `nothing is observed once the sequence and its iterators are gone`() async {
    weak let sender: Sender? = await {
      let sender = Sender()
      let films = center.notifications(named: name, object: sender)
      post(1, of: sender)
      #expect(number(await films.makeAsyncIterator().next()) == 1)
      return sender
    }()

    post(2)

    #expect(sender == nil)
  }

  private func post(_ number: Int, of sender: Sender? = nil) {
    center.post(name: name, object: sender, userInfo: ["number": number])
  }

  private func number(_ notification: Notification?) -> Int? { notification?.userInfo?["number"] as? Int }
}

private final class Sender: Sendable {}
