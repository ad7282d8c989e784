import Foundation
import class FoundationNetworking.HTTPURLResponse
import NightjarWire
import Synchronization
import TestThreads
import Testing

@testable import Nightjar

/// What a delegate is told of the answer to an upload.
@Suite(.blocking) struct UploadAnswerTests {
  let world = World()

  @Test func `an upload's answer is told by body and end`() throws {
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    let file = URL(fileURLWithPath: try world.stage("film").path)
    session.uploadTask(with: .post(), fromFile: file).resume()

    world.daemon.end(
      .init(
        number: 1, session: "films", task: 1, count: 4, expected: 4, response: World.response,
        file: try world.stage("thanks")))
    world.daemon.waitForCalls { $0.isAcknowledgement }

    #expect(delegate.heard == ["1 sent 4 to 4 of 4", "1 data thanks", "1 done"])
    #expect(world.daemon.enqueued.first?.file == file.path)
    #expect(world.daemon.enqueued.first?.direction == .upload)
  }

  @Test(arguments: [true, false])
  func `an upload counts the bytes of its answer, though nobody hear them`(isHeard: Bool) throws {
    final class Deaf: NSObject, URLSessionTaskDelegate, Sendable {}
    let recorder = Recorder()
    let session = world.session(of: world.newLife(), isHeard ? recorder : Deaf())
    let task = session.uploadTask(with: .post(), fromFile: URL(fileURLWithPath: try world.stage("film").path))
    let seen = Kept<[Int64]>()
    let observation = task.observe(\.countOfBytesReceived) { task, _ in
      seen.value = (seen.value ?? []) + [task.countOfBytesReceived]
    }
    task.resume()
    let answer = String(repeating: "x", count: LinkLimits.chunkBytes + 1)

    world.daemon.end(
      .init(
        number: 1, session: "films", task: 1, count: 4, expected: 4, response: World.response,
        file: try world.stage(answer)))
    world.daemon.waitForCalls { $0.isAcknowledgement }

    let length = Int64(answer.utf8.count)
    #expect(task.countOfBytesReceived == length && task.countOfBytesExpectedToReceive == length)
    #expect(seen.value == (isHeard ? [length - 1, length] : [length]))
    observation.invalidate()
  }

  @Test func `an upload whose answer cannot be had has succeeded, and says that the answer's body is lost`() throws {
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    let task = session.uploadTask(
      with: .post(), fromFile: URL(fileURLWithPath: try world.stage("film").path))
    task.resume()
    var lost = try world.stage("thanks")
    lost.modified += 1

    world.daemon.end(
      .init(number: 1, session: "films", task: 1, count: 4, expected: 4, response: World.response, file: lost))
    world.daemon.waitForCalls { $0.isAcknowledgement }

    let answer = task.response as? HTTPURLResponse
    #expect(delegate.heard == ["1 sent 4 to 4 of 4", "1 done"])
    #expect(task.error == nil && answer?.statusCode == 200)
    #expect(answer?.value(forHTTPHeaderField: "Warning")?.contains("the body of this answer is lost") == true)
  }

  @Test(arguments: ["nowhere", ""])
  func `an upload whose answer is gone when it is read says that too`(name: String) throws {
    let delegate = Recorder()
    let wasTold = Mutex(false)
    let session = world.session(of: world.newLife(), delegate)
    let task = session.uploadTask(with: .post(), fromFile: URL(fileURLWithPath: try world.stage("film").path))
    let event = AppInterface.Ended(number: 1, session: "films", task: 1, count: 4, response: World.response)
    let telling = Telling(session: session, task: task, what: .ended(event), deliveries: nil)

    telling.run(file: world.folder + "/staging/" + name) { wasTold.withLock { $0 = true } }

    let answer = task.response as? HTTPURLResponse
    #expect(delegate.heard.last == "1 done" && wasTold.withLock { $0 })
    #expect(!delegate.heard.contains { $0.contains("data") })
    #expect(answer?.value(forHTTPHeaderField: "Warning")?.contains("the body of this answer is lost") == true)
  }

  @Test func `an upload whose answer breaks off while it is told does not end as if that were all`() throws {
    let folder = world.folder
    let delegate = Recorder { line in
      if line.hasPrefix("1 data") { replace(openFilesIn: folder + "/tmp", with: "/") }
    }
    let session = world.session(of: world.newLife(), delegate)
    session.uploadTask(with: .post(), fromFile: URL(fileURLWithPath: try world.stage("film").path)).resume()
    let long = try world.stage(String(repeating: "x", count: 2 * LinkLimits.chunkBytes))

    world.daemon.end(
      .init(number: 1, session: "films", task: 1, count: 4, expected: 4, response: World.response, file: long))
    world.daemon.waitForCalls { $0.isAcknowledgement }

    #expect(delegate.heard.filter { $0.hasPrefix("1 data") }.map(\.utf8.count) == [7 + LinkLimits.chunkBytes])
    #expect(delegate.heard.last == "1 failed \(URLError.cannotOpenFile.rawValue)")
  }

  @Test func `an upload's delegate is not asked what to do with an answer, whose status is in the task`() throws {
    let delegate = Recorder(disposition: .cancel)
    let session = world.session(of: world.newLife(), delegate)
    let task = session.uploadTask(with: .post(), fromFile: URL(fileURLWithPath: try world.stage("film").path))
    task.resume()
    var response = World.response
    response.status = 500

    world.daemon.end(
      .init(number: 1, session: "films", task: 1, count: 4, response: response, file: try world.stage("no")))
    world.daemon.waitForCalls { $0.isAcknowledgement }

    #expect(delegate.heard == ["1 sent 4 to 4 of -1", "1 data no", "1 done"])
    #expect((task.response as? HTTPURLResponse)?.statusCode == 500)
  }
}

/// Puts another file behind every descriptor of this process that has a file in a folder open.
private func replace(openFilesIn folder: String, with path: String) {
  let other = open(path, O_RDONLY | O_CLOEXEC)
  for number in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + number)
    if let raw = CInt(number), target?.hasPrefix(folder + "/") == true { dup2(other, raw) }
  }
  close(other)
}
