import NightjarModel

extension Bindings {
  /// Adds all of a request but its body.
  mutating func add(_ request: TransferRequest) {
    add(bits: request.key.high)
    add(bits: request.key.low)
    add(request.app.rawValue)
    add(request.session)
    add(request.task)
    add(request.direction)
    add(request.method)
    add(request.url)
    add(text: LineText.bytes(of: request.headers))
    add(request.label)
    add(request.destination?.path)
    add(request.destination?.overwrites ?? false)
    // SQLite has no NaN; the default priority replaces it.
    add(request.priority.isNaN ? 0.5 : Double(request.priority))
    add(request.requestTimeout)
    add(request.resourceTimeout ?? .zero)
    add(request.options)
  }

  private mutating func add(_ options: TransferOptions) {
    if options == .ordinary { add(nil as String?) } else { add(text: LineText.bytes(of: options.lines)) }
  }

  private mutating func add(_ direction: TransferRequest.Direction) {
    switch direction {
    case .download:
      add(nil as String?)
      add(nil as FileStamp?)
    case .upload(let path, let stamp):
      add(path)
      add(stamp)
    }
  }

  mutating func add(_ stamp: FileStamp?) {
    add(stamp?.size)
    add(stamp?.modified)
    add(stamp.map { Int64(bitPattern: $0.inode) })
  }
}

extension Columns {
  /// Reads all of a request but its body.
  mutating func transferRequest() throws(DamagedRow) -> TransferRequest {
    let key = RequestKey(high: try bits(), low: try bits())
    var request = TransferRequest(
      key: key, app: AppID(try text()), session: try textIfAny(), task: Int(try integer()), direction: try direction(),
      method: try text(), url: try text(), headers: try text(LineText.fields), label: try text())
    request.destination = try destination()
    request.priority = try priority()
    request.requestTimeout = try duration()
    let resourceTimeout = try duration()
    request.resourceTimeout = resourceTimeout == .zero ? nil : resourceTimeout  // One of no time would be none at all.
    if let lines = try textIfAny(LineText.fields) { request.options = try TransferOptions(lines: lines) }
    return request
  }

  private mutating func priority() throws(DamagedRow) -> Float {
    let priority = try real()
    guard 0...1 ~= priority else { throw damage("\(priority), which is no priority") }
    return Float(priority)
  }

  private mutating func direction() throws(DamagedRow) -> TransferRequest.Direction {
    switch (try textIfAny(), try stampIfAny()) {
    case (let path?, let stamp?): return .upload(path: path, stamp: stamp)
    case (nil, nil): return .download
    case (nil, _?), (_?, nil): throw DamagedRow(detail: "its upload_path and its stamp do not agree")
    }
  }

  private mutating func destination() throws(DamagedRow) -> Destination? {
    let (path, overwrites) = (try textIfAny(), try flag())
    return path.map { Destination(path: $0, overwrites: overwrites) }
  }

  mutating func stampIfAny() throws(DamagedRow) -> FileStamp? {
    switch (try integerIfAny(), try integerIfAny(), try integerIfAny()) {
    case (let size?, let modified?, let inode?):
      return FileStamp(size: size, modified: modified, inode: UInt64(bitPattern: inode))
    case (nil, nil, nil): return nil
    case (_, _, _): throw damage("set, and the rest of the stamp is not, or the other way round")
    }
  }
}
