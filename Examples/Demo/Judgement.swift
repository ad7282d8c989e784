import Foundation
import NightjarWire

/// Judges a run by the server's log, the app's log, the disk and the processes.
@MainActor
struct Judgement {
  let play: Play

  private var story: Story { play.story }
  private var app: AppRecord { play.appRecord }
  private var farm: FarmRecord { play.farmRecord }
  /// The process that the daemon launched into the background.
  private var told: Int32? { app.lines("launched background").first?.process }

  var checks: [Check] {
    [
      playedThrough, appKilled, wentOn, daemonKilled, served, movedOn, uploaded, launched, toldOnce, finished, ended,
      downloadsEqual,
      uploadEqual, nothingLeft,
    ]
  }

  private var playedThrough: Check {
    Check("everything happened that was waited for", story.brokenOff == nil, story.brokenOff ?? "")
  }

  private var appKilled: Check {
    let blow = story.appDied
    return Check(
      "the app was killed in the middle", blow.map { $0.bytes > 0 && $0.bytes < play.plan.bytes } ?? false,
      blow.map { "at \(seconds($0.at)), with \(bytes($0.bytes)) of \(bytes(play.plan.bytes))" } ?? "it was not")
  }

  private var wentOn: Check {
    guard let first = story.appDied, let second = story.daemonDied else {
      return Check("the transfers went on without it", false, "there was nothing to compare")
    }
    let areFirst = second.transfers.allSatisfy { $0.attempts == 1 }
    return Check(
      "the transfers went on without it", second.bytes > first.bytes && areFirst,
      "\(bytes(second.bytes - first.bytes)) more, \(areFirst ? "none" : "some") of them begun again")
  }

  private var daemonKilled: Check {
    let blow = story.daemonDied
    let underWay = blow?.transfers.filter { $0.state == .running }.count ?? 0
    return Check(
      "the daemon was killed in the middle", underWay > 0,
      blow.map { "at \(seconds($0.at)), with \(underWay) transfers under way" } ?? "it was not")
  }

  private var served: Check {
    Check(
      "a new daemon came up", story.untilServing != nil,
      story.untilServing.map { "it answered \(seconds($0)) after its start" } ?? "it did not")
  }

  /// The server's word for what was asked of it, the disk's for what was safe.
  private var movedOn: Check {
    let points = play.movies.map { movie in
      (safe: story.safe[movie.id, default: 0], asked: (farm.answers[movie.video] ?? []).map(\.from))
    }
    let holds = points.count == play.plan.movies && points.allSatisfy { $0.safe > 0 && $0.asked == [0, $0.safe] }
    let found = points.map { "\($0.asked.map(String.init).joined(separator: " then ")) (safe: \($0.safe))" }
    return Check(
      "the server was asked for the rest only, from the very byte that was safe", holds,
      holds ? "\(Set(points.map { "\($0.safe)" }).sorted().joined(separator: ", "))" : found.joined(separator: "; "))
  }

  private var uploads: [DaemonWatch.Transfer] { play.watch.heard.inOrder.filter(\.isUpload) }

  private var uploaded: Check {
    let video = uploads.first?.video ?? ""
    let (cuts, points) = (farm.paused[video] ?? [], farm.resumed[video] ?? [])
    let wasUnderWay = story.daemonDied?.transfers.contains { $0.isUpload && $0.state == .running } ?? true
    let wentOn = cuts.count == (wasUnderWay ? 1 : 0) && points == cuts && farm.cut[video] == nil
    return Check(
      "the upload was cut, went on with its next byte, and is stored whole",
      uploads.count == 1 && wentOn && farm.stored[video] == play.plan.movieSize,
      cuts.isEmpty ? "it was not cut" : "cut after \(cuts.map(bytes).joined(separator: ", "))")
  }

  private var launched: Check {
    let first = app.lines("launched foreground").map(\.process)
    let later = app.lines("launched background").map(\.process)
    return Check(
      "the daemon launched the app into the background, once",
      first.count == 1 && first.first == story.appDied?.process && later.count == 1 && first != later,
      later.isEmpty ? "it did not" : "process \(later.map { "\($0)" }.joined(separator: ", "))")
  }

  private var toldOnce: Check {
    let jobs = Set(app.jobs).sorted()
    let wrong = jobs.filter { job in
      let ends = app.lines("completed \(job) ").map(\.words)
      let word = job.hasPrefix("upload") ? "uploaded \(job) status=201" : "arrived \(job) "
      return ends.count != 1 || !ends[0].hasSuffix(" error=none") || app.lines(word).count != 1
    }
    return Check(
      "it was told every completion exactly once", jobs.count == play.plan.transfers && wrong.isEmpty,
      wrong.isEmpty ? "\(jobs.count) of \(play.plan.transfers)" : "not so: \(wrong.joined(separator: ", "))")
  }

  private var finished: Check {
    let order = ["handle-events ", "finished-events ", "completion-handler called"]
    let calls = app.lines.filter { line in order.contains { line.words.hasPrefix($0) } }
    let isInOrder = zip(calls, order).allSatisfy { $0.words.hasPrefix($1) && $0.process == told }
    let own = told.map { app.lines("", process: $0) } ?? []
    let last = own.lastIndex { $0.words.hasPrefix("completed ") } ?? own.count
    let end = own.firstIndex { $0.words.hasPrefix("finished-events ") } ?? 0
    return Check(
      "then that this was all, and it called the completion handler, once", calls.count == 3 && isInOrder && last < end,
      calls.count == 3 ? "" : "its log has \(calls.count) lines of that kind")
  }

  private var ended: Check {
    Check(
      "the app was suspended then, and lives",
      story.isAppSuspended && play.app?.hasEnded == false && app.lines("will-terminate").isEmpty,
      story.ended.map { "at \(seconds($0))" } ?? "it has not")
  }

  private var downloadsEqual: Check {
    let pairs = play.movies.flatMap { movie in
      [
        (place("\(movie.video).movie"), stored(movie.video, isThumbnail: false)),
        (place("\(movie.video).png"), stored(movie.video, isThumbnail: true)),
      ]
    }
    let equal = pairs.filter { here, there in digest(of: here) != nil && digest(of: here) == there.flatMap(digest) }
    return Check(
      "every downloaded file is the server's, by SHA-256", equal.count == play.plan.movies * 2,
      "\(equal.count) of \(play.plan.movies * 2)")
  }

  private var uploadEqual: Check {
    let there = uploads.first.flatMap { stored($0.video, isThumbnail: false) }.flatMap(digest)
    return Check(
      "the uploaded movie is the app's, by SHA-256", there != nil && there == digest(of: play.grounds.source),
      there.map { "\($0.prefix(16))…" } ?? "the server does not have it")
  }

  private var nothingLeft: Check {
    let left = story.leftOver
    return Check(
      "the daemon holds nothing any more", left.map { $0.transfers == 0 && $0.files == 0 } ?? false,
      left.map { "\($0.transfers) transfers, \($0.files) staged files" } ?? "it was not asked")
  }

  private func place(_ name: String) -> String { play.grounds.documents + "/" + name }

  /// Where the server keeps a movie or its thumbnail.
  private func stored(_ video: String, isThumbnail: Bool) -> String? {
    let folder = play.grounds.farmData + "/movies"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.first { $0.hasPrefix(video + ".") && $0.hasSuffix(".png") == isThumbnail }.map { folder + "/" + $0 }
  }
}
