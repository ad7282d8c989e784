import Logging
import NIOCore
import NIOPosix
import NightjarModel
import NightjarTransfer
import ScriptedServer
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// An engine with a folder of its own, and a log of what it reports.
final class Workshop: Sendable {
  let folder: String
  let engine: TransferEngine
  let log = FactLog()
  private let group: MultiThreadedEventLoopGroup

  init(folder: String? = nil, staging: String? = nil, _ change: (inout EngineSettings) -> Void = { _ in }) throws {
    let folder = try folder ?? Self.makeFolder()
    self.folder = folder
    group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    var settings = EngineSettings()
    settings.freeSpaceMin = 1 << 20
    change(&settings)
    engine = try TransferEngine(
      staging: staging ?? "\(folder)/staging", eventLoopGroup: group, settings: settings, logger: Logger(label: "test"),
      report: { [log] in log.hear(FactLog.Entry(id: $0, attempt: $1, fact: $2)) },
      reportDelivery: { [log] in log.hear($2) })
  }

  /// In memory if there is such a place: a busy disk takes seconds for a sync.
  static func makeFolder() throws -> String {
    try makeFolder(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
  }

  static func makeFolder(in place: String) throws -> String {
    var name = Array("\(place)/nightjar-transfer-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw TransferFailure(.cannotWrite, "no temporary folder") }
    return String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Starts an attempt and waits for its end.
  @discardableResult
  func run(_ order: TransferOrder) async throws -> [TransferFact] {
    engine.start(order)
    return try await end(of: order)
  }

  /// The same with ever more patience, from a first one on, until it does not time out: what is about being impatient
  /// must not fail where a busy machine answers late.
  func runPatiently(
    from first: Duration, _ order: (_ attempt: Int, _ patience: Duration) -> TransferOrder
  ) async throws -> [TransferFact] {
    var facts: [TransferFact] = []
    for attempt in 1...6 {
      facts = try await run(order(attempt, first * (1 << (attempt - 1))))
      guard facts.failure?.code == .timedOut else { break }
    }
    return facts
  }

  /// Downloads from a server that is harsh: attempt after attempt, each from where the last one was safe, until one
  /// finishes.
  func outlast(_ url: String, id: Int64) async throws -> [TransferFact] {
    var resume: ResumePoint?
    var facts: [TransferFact] = []
    for attempt in 1...20 where facts.response == nil {
      facts = try await run(.download(url, id: id, attempt: attempt, resume: resume))
      resume = facts.checkpoints.last ?? resume
    }
    return facts
  }

  /// Waits for the end of an attempt.
  @discardableResult
  func end(of order: TransferOrder) async throws -> [TransferFact] {
    try await log.first { $0.id == order.id && $0.attempt == order.attempt && $0.fact.isTerminal }
    return log.facts(of: order.id, attempt: order.attempt)
  }

  func part(_ id: Int64 = 1) -> String { "\(folder)/staging/\(id).part" }
  func reply(_ id: Int64 = 1) -> String { "\(folder)/staging/\(id).reply" }

  /// Shuts the engine down; its folder stays.
  func close() async throws {
    await engine.shutdown()
    try await group.shutdownGracefully()
  }
}

/// Runs a test with an engine and a server, and stops both whatever happens.
func withWorkshop(
  _ security: HTTPTestServer.Security = .plain, chaos: UInt64? = nil, receiveBuffer: Int32? = nil,
  in place: String? = nil,
  settings: (inout EngineSettings) -> Void = { _ in },
  _ body: (Workshop, HTTPTestServer) async throws -> Void
) async throws {
  let server = try await HTTPTestServer.start(security, chaos: chaos, receiveBuffer: receiveBuffer)
  let folder = try place.map(Workshop.makeFolder(in:)) ?? Workshop.makeFolder()
  let workshop = try Workshop(folder: folder) {
    if security != .plain { $0.trustedCertificates = Disk.write(Fixtures.authority, to: "\(folder)/authority.pem") }
    $0.idleTimeout = .seconds(3600)  // However long a test is held up, what it has is what it made.
    settings(&$0)
  }
  let result: Result<Void, any Error>
  do { result = .success(try await body(workshop, server)) } catch { result = .failure(error) }
  try await workshop.close()
  try await server.stop()
  Disk.removeFolder(folder)
  try result.get()
}

/// Files, as plainly as tests need them.
enum Disk {
  static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return bytes
  }

  @discardableResult
  static func write(_ bytes: [UInt8], to path: String, mode: String = "w") -> String {
    guard let file = fopen(path, mode) else { fatalError("cannot write \(path)") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    return path
  }

  @discardableResult
  static func write(_ text: String, to path: String) -> String { write(Array(text.utf8), to: path) }

  static func makeFolder(_ path: String) -> String {
    mkdir(path, 0o700)
    return path
  }

  static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  static func removeFolder(_ path: String) {
    for name in names(in: path) {
      let inside = "\(path)/\(name)"
      if unlink(inside) != 0 { removeFolder(inside) }
    }
    rmdir(path)
  }

  static func mode(_ path: String) -> UInt32 {
    var status = stat()
    return lstat(path, &status) == 0 ? UInt32(status.st_mode) & 0o777 : 0
  }

  /// Gives a file a time of modification, in nanoseconds since 1970.
  static func setModified(_ nanoseconds: Int64, of path: String) {
    let time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    precondition(utimensat(AT_FDCWD, path, [time, time], 0) == 0, "no time for \(path)")
  }

  static func stamp(_ path: String) -> FileStamp {
    var status = stat()
    precondition(stat(path, &status) == 0, "no file at \(path)")
    let modified = Timestamp(seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
    return FileStamp(size: Int64(status.st_size), modified: modified.nanoseconds, inode: UInt64(status.st_ino))
  }
}

extension TransferOrder {
  /// An order for a download.
  static func download(
    _ url: String, id: Int64 = 1, attempt: Int = 1, resume: ResumePoint? = nil, retriesServerErrors: Bool = true,
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) -> TransferOrder {
    let key = RequestKey(high: 0, low: UInt64(id))
    var request = TransferRequest(key: key, app: AppID("dev.nightjar.tests"), url: url)
    change(&request)
    return TransferOrder(
      id: TransferID(id), attempt: attempt, request: request, resume: resume, retriesServerErrors: retriesServerErrors)
  }

  /// An order for an upload of a file as it is now.
  static func upload(
    _ path: String, to url: String, id: Int64 = 1, _ change: (inout TransferRequest) -> Void = { _ in }
  ) -> TransferOrder {
    download(url, id: id) {
      $0.direction = .upload(path: path, stamp: Disk.stamp(path))
      $0.method = "PUT"
      change(&$0)
    }
  }
}
