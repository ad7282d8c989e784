import NightjarWire

/// The run on one screen, as lines of text without anything that a terminal would act on.
@MainActor
struct Picture {
  let play: Play
  let columns: Int

  private var story: Story { play.story }

  /// What is shown while it runs.
  func live(rows: Int) -> [String] {
    let top = parts + [""] + transfers + [""]
    let room = max(0, rows - top.count)
    return (top + events.suffix(room)).prefix(rows).map(cut)
  }

  /// What stays on the screen in the end.
  func final(_ checks: [Check], withEvents: Bool) -> [String] {
    let before = withEvents ? parts + [""] + transfers + [""] + events + [""] : [""]
    return before + table + [""] + figures + [""] + self.checks(checks)
  }

  private func cut(_ line: String) -> String {
    line.count <= columns ? line : line.prefix(max(0, columns - 1)) + "…"
  }
}

// MARK: - Parts and transfers

extension Picture {
  private var parts: [String] {
    let title = "Nightjar: the app dies, the daemon dies, the transfers go on"
    let clock = seconds(play.elapsed)
    return [
      title + clock.padded(max(clock.count + 2, min(columns, 80) - title.count), right: true),
      "",
      "server  \(process(story.farm))  127.0.0.1:\(story.port), \(bytes(play.plan.rate)) a second for each transfer",
      "daemon  \(process(story.daemon))  \(daemonWords)",
      "app     \(process(story.app))  \(appWords)",
    ]
  }

  private func process(_ id: Int32?) -> String {
    (id.map { "process \($0)" } ?? "dead").padded(15)
  }

  private var daemonWords: String {
    guard let blow = story.daemonDied else { return "has not been killed yet" }
    let again = story.untilServing.map { "; the new one answered in \(seconds($0))" } ?? ""
    return "\(blow.process) killed at \(seconds(blow.at))\(again)"
  }

  private var appWords: String {
    guard let blow = story.appDied else { return "in the foreground" }
    let place = story.isAppSuspended ? "suspended" : "in the background now"
    let again = story.app == nil ? "" : "; launched again, \(place)"
    return "\(blow.process) killed at \(seconds(blow.at))\(again)"
  }

  private var transfers: [String] {
    let thumbnails = play.watch.heard.inOrder.filter(\.isThumbnail)
    let told = thumbnails.filter { play.watch.heard.gone.contains($0.id) }.count
    return rows.map(line) + ["thumbnails  \(told) of \(play.plan.movies) told"]
  }

  /// The movies under names for people, both ways.
  private var rows: [(name: String, transfer: DaemonWatch.Transfer)] {
    let uploads = play.watch.heard.inOrder.filter(\.isUpload)
    return play.movies.enumerated().map { ("movie \($0 + 1)", $1) } + uploads.map { ("upload", $0) }
  }

  private func line(_ name: String, _ transfer: DaemonWatch.Transfer) -> String {
    let isGone = play.watch.heard.gone.contains(transfer.id)
    let whole = transfer.expected ?? play.plan.movieSize
    let count = isGone ? whole : transfer.count
    let percent = "\(whole > 0 ? count * 100 / whole : 0)%".padded(5, right: true)
    let tail = "\(percent)  \(bytes(count).padded(9, right: true))  \(state(of: transfer, isGone))"
    let bar = Bar(count: count, of: whole, resumedAt: resumed(transfer))
    return name.padded(12) + bar.text(columns: min(50, max(12, columns - 12 - 40))) + tail
  }

  private func state(of transfer: DaemonWatch.Transfer, _ isGone: Bool) -> String {
    if isGone { return "told" }
    if story.daemon == nil { return transfer.isUpload ? "cut" : "\(bytes(story.safe[transfer.id] ?? 0)) safe" }
    if transfer.state == .running, let point = resumed(transfer) {
      return point > 0 ? "on from \(bytes(point))" : "begun again"
    }
    return transfer.state.rawValue
  }

  private func resumed(_ transfer: DaemonWatch.Transfer) -> Int64? {
    guard story.untilServing != nil else { return nil }
    return transfer.isUpload ? play.farmRecord.resumed[transfer.video]?.last : story.safe[transfer.id]
  }

  private var events: [String] {
    story.events.map { "\(moment($0.at))  \($0.text)" }
  }

  /// How far everything is, on one line.
  var progress: String {
    let parts = rows.map { name, transfer in
      let isGone = play.watch.heard.gone.contains(transfer.id)
      let whole = transfer.expected ?? play.plan.movieSize
      return "\(name) \(isGone || whole == 0 ? 100 : transfer.count * 100 / whole)%"
    }
    return "\(moment(play.elapsed))  \(parts.joined(separator: ", "))"
  }
}

// MARK: - The end

extension Picture {
  private var table: [String] {
    guard let blow = story.daemonDied else { return [] }
    let head = ["", "at the kill", "safe on disk", "asked from", "over the network", "file"]
    let rows = rows.map { name, transfer in
      let then = blow.transfers.first { $0.id == transfer.id }?.count ?? 0
      let safe = transfer.isUpload ? "-" : bytes(story.safe[transfer.id] ?? 0)
      let from =
        transfer.isUpload
        ? play.farmRecord.resumed[transfer.video]?.last ?? 0 : play.farmRecord.answers[transfer.video]?.last?.from ?? 0
      let moved = moved(transfer)
      return [
        name, bytes(then), safe, bytes(from), "\(bytes(moved)) " + ratio(Double(moved), to: Double(size(transfer))),
        bytes(size(transfer)),
      ]
    }
    return ([head] + rows).map { cells in
      zip(cells, [8, 11, 13, 11, 17, 9]).map { cell, columns in cell.padded(columns, right: columns > 8) }
        .joined(separator: " ")
    }
  }

  private func moved(_ transfer: DaemonWatch.Transfer) -> Int64 {
    transfer.isUpload ? play.farmRecord.received(transfer.video) : play.farmRecord.sent(transfer.video)
  }

  private func size(_ transfer: DaemonWatch.Transfer) -> Int64 { transfer.expected ?? play.plan.movieSize }

  private var figures: [String] {
    let (moved, whole) = (rows.map { self.moved($1) }.reduce(0, +), play.plan.bytes)
    let (took, least) = (play.elapsed / .seconds(1), play.plan.ideal / .seconds(1))
    let down = play.movies.map(self.moved).reduce(0, +)
    let downWhole = play.plan.movieSize * Int64(play.plan.movies)
    return [
      "time     \(seconds(play.elapsed)) in all; \(seconds(play.plan.ideal)) is the least at this rate: "
        + ratio(took, to: least),
      "network  \(bytes(moved)) moved for \(bytes(whole)) of files: \(ratio(Double(moved), to: Double(whole))); "
        + "the downloads alone \(ratio(Double(down), to: Double(downWhole)))",
      "restart  \(story.untilServing.map(seconds) ?? "none") from the new daemon's start to its first answer",
    ]
  }

  private func checks(_ checks: [Check]) -> [String] {
    checks.map { check in
      "\(check.holds ? "✓" : "✗") \(check.promise)" + (check.finding.isEmpty ? "" : " (\(check.finding))")
    }
  }
}
