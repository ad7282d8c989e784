import Glibc
public import NightjarModel

/// What processes take up in memory.
enum Footprint {
  /// What is in memory, pages that they share with others counted in full (`statm`): quick, and never too little.
  static func resident(_ processes: [Int32]) -> Int64 {
    processes.reduce(0) { sum, pid in
      let fields = Disk.text(of: "/proc/\(pid)/statm")?.split(separator: " ") ?? []
      return sum + (fields.count > 1 ? (Int64(fields[1]) ?? 0) * Int64(sysconf(Int32(_SC_PAGESIZE))) : 0)
    }
  }

  /// What would be freed: their share of each page, and what is swapped out (`smaps_rollup`). The kernel walks all
  /// pages for it, which takes milliseconds. Nil where reading that is not permitted.
  static func own(_ processes: [Int32]) -> Int64? {
    var sum: Int64 = 0
    for pid in processes {
      guard let text = Disk.text(of: "/proc/\(pid)/smaps_rollup") else { continue }
      sum += (MemoryFigures.bytes("Pss:", text) ?? 0) + (MemoryFigures.bytes("SwapPss:", text) ?? 0)
    }
    return sum > 0 ? sum : nil
  }
}

extension Launcher {
  /// The memory of the lives that may take up most, found by a quick look at all and a closer one at the first few.
  ///
  /// From any thread that may wait; takes some milliseconds for each app that is looked at closely.
  public func footprints(of lives: [AppLifeID]) -> [AppLifeID: Int64] {
    let found: [(life: AppLifeID, processes: [Int32], most: Int64)] = lives.compactMap { life in
      guard let running = running(life.app, life: life.life) else { return nil }
      let processes = running.processes
      return (life, processes, Footprint.resident(processes))
    }
    var sure: [AppLifeID: Int64] = [:]
    for (life, processes, most) in found.sorted(by: { $0.most > $1.most }) {
      if let largest = sure.values.max(), largest >= most || sure.count >= Self.closeLooksMax { break }
      sure[life] = Footprint.own(processes) ?? most
    }
    return sure
  }

  private static var closeLooksMax: Int { 8 }
}
