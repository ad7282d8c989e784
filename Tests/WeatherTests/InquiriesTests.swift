import Testing
import WeatherModel

@MainActor @Suite struct InquiriesTests {
  /// What was asked and answered, in order.
  @MainActor private final class Notes {
    var lines: [String] = []
  }

  private let inquiries = Inquiries<String, String>()
  private let notes = Notes()

  @Test func `who asks the same meanwhile waits for the same answer`() async {
    let (one, other) = (ask("Oslo"), ask("Oslo"))
    let wereOpen = inquiries.areOpen

    let answers = [await one.value, await other.value]

    #expect(answers == ["Oslo", "Oslo"])
    #expect(notes.lines == ["asked Oslo", "answered Oslo"])
    #expect(wereOpen && !inquiries.areOpen)
  }

  @Test func `who asks for another city meanwhile is answered next, and not with the first one's weather`() async {
    let (one, other, again) = (ask("Oslo"), ask("Lisbon"), ask("Oslo"))

    let answers = [await one.value, await other.value, await again.value]

    #expect(answers == ["Oslo", "Lisbon", "Oslo"])
    #expect(
      notes.lines == [
        "asked Oslo", "answered Oslo", "asked Lisbon", "answered Lisbon", "asked Oslo", "answered Oslo",
      ])
    #expect(!inquiries.areOpen)
  }

  @Test func `who asks once all is answered asks anew`() async {
    _ = await ask("Oslo").value
    _ = await ask("Oslo").value

    #expect(notes.lines == ["asked Oslo", "answered Oslo", "asked Oslo", "answered Oslo"])
  }

  /// Asks, and lets others run before there is an answer.
  private func ask(_ city: String) -> Task<String, Never> {
    inquiries.answer(to: city) { [inquiries, notes] in
      notes.lines.append("asked \(city)")
      await Task.yield()
      notes.lines.append(inquiries.areOpen ? "answered \(city)" : "closed over \(city)")
      return city
    }
  }
}
