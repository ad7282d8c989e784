import NIOCore
import NightjarModel
import Testing

@testable import NightjarTransfer

/// What is told of how much the server of an upload has.
@Suite struct AcknowledgementPaceTests {
  private let start = NIODeadline.uptimeNanoseconds(0)
  private let resource = UploadResource(url: "http://h/u", version: .eight)

  private func point(_ offset: Int64, of upload: UploadResource?) -> ResumePoint {
    ResumePoint(offset: offset, validator: nil, length: 1000, upload: upload)
  }

  @Test func `a small step is told only from time to time, a large one at once`() {
    var settings = EngineSettings()
    (settings.checkpointBytes, settings.checkpointInterval) = (100, .seconds(5))
    var pace = AcknowledgementPace(settings, last: point(0, of: resource), at: start)
    let steps: [(offset: Int64, seconds: Int64)] = [(99, 4), (100, 4), (101, 8), (101, 9), (101, 20)]

    let told = steps.map { step in
      pace.isDue(point(step.offset, of: resource), isUrgent: false, at: start + .seconds(step.seconds))
    }

    #expect(told == [false, true, false, true, false])
  }

  @Test func `an upload that cannot be gone on with is told only where one could be before`() {
    var pace = AcknowledgementPace(EngineSettings(), last: nil, at: start)
    let points = [point(5, of: nil), point(5, of: resource), point(0, of: nil), point(5, of: nil)]

    let told = points.map { pace.isDue($0, isUrgent: true, at: start) }

    #expect(told == [false, true, true, false])
  }
}
