import NightjarCore
import NightjarModel

/// Stands in the version column if the upload's URL is that of a page it has led to.
private let pageVersion = 0

extension Bindings {
  mutating func add(_ state: TransferState) {
    add(PhaseColumns(state.phase))
    add(state.attempts)
    add(state.failures)
    add(state.serverErrors)
    add(state.isSuspended)
    add(state.resume)
    add(state.asksBeforeBegin)
    add(state.deliveries)
  }

  private mutating func add(_ phase: PhaseColumns) {
    add(phase.word.rawValue)
    add(phase.age)
    add(phase.failure?.code.rawValue)
    add(phase.failure?.detail)
    add(phase.failure?.forbidden?.rawValue)
    add(phase.response)
    add(phase.file?.path)
    add(phase.file?.stamp)
  }

  private mutating func add(_ response: Response?) {
    add(response?.url)
    add(response.map { Int64($0.status) })
    if let response { add(text: LineText.bytes(of: response.headers)) } else { add(nil as String?) }
  }

  private mutating func add(_ resume: ResumePoint?) {
    add(resume?.offset)
    add(resume?.length)
    switch resume?.validator {
    case .entityTag(let tag)?:
      add(tag)
      add(nil as String?)
    case .lastModified(let date)?:
      add(nil as String?)
      add(date)
    case nil:
      add(nil as String?)
      add(nil as String?)
    }
    add(resume?.upload)
    add(resume?.heritage?.rawValue)
    add(resume?.provenance?.text)
  }

  mutating func add(_ resource: UploadResource?) {
    add(resource?.url)
    add(resource.map { Int64($0.version?.rawValue ?? pageVersion) })
    add(resource?.appendMax)
    add(resource?.namer)
  }
}

extension Columns {
  mutating func transferState() throws(DamagedRow) -> TransferState {
    let phase = try phaseColumns().phase()
    var state = TransferState(
      phase: phase, attempts: try count(), failures: try count(), serverErrors: try count(),
      isSuspended: try flag(), resume: try resumePoint())
    state.asksBeforeBegin = try flag()
    state.deliveries = try count()
    return state
  }

  private mutating func phaseColumns() throws(DamagedRow) -> PhaseColumns {
    PhaseColumns(
      word: try word(), age: try ageIfAny(), failure: try failure(), response: try response(), file: try stagedFile())
  }

  private mutating func failure() throws(DamagedRow) -> TransferFailure? {
    let (code, detail) = (try wordIfAny() as TransferFailure.Code?, try textIfAny())
    let forbidden: TransferFailure.ForbiddenNetwork? = try wordIfAny()
    switch (code, detail) {
    case (let code?, let detail?): return TransferFailure(code, detail, forbidden: forbidden)
    case (nil, nil): return nil
    case (nil, _?), (_?, nil): throw damage("set without its failure, or the other way round")
    }
  }

  private mutating func response() throws(DamagedRow) -> Response? {
    switch (try textIfAny(), try integerIfAny(), try textIfAny(LineText.fields)) {
    case (let url?, let status?, let headers?):
      guard let status = Int(exactly: status) else { throw DamagedRow(detail: "its response_status is out of range") }
      return Response(url: url, status: status, headers: headers)
    case (nil, nil, nil): return nil
    case (_, _, _): throw damage("set, and the rest of the response is not, or the other way round")
    }
  }

  private mutating func stagedFile() throws(DamagedRow) -> StagedFile? {
    switch (try textIfAny(), try stampIfAny()) {
    case (let path?, let stamp?):
      guard Self.byteCounts.contains(stamp.size) else { throw DamagedRow(detail: "its file_size is out of range") }
      return StagedFile(path: path, stamp: stamp)
    case (nil, nil): return nil
    case (nil, _?), (_?, nil): throw damage("set without its file_path, or the other way round")
    }
  }

  private mutating func resumePoint() throws(DamagedRow) -> ResumePoint? {
    let (offset, length) = (try byteCountIfAny(), try integerIfAny())
    let (tag, date) = (try textIfAny(), try textIfAny())
    if tag != nil, date != nil { throw damage("set, and so is its entity tag") }
    let validator = tag.map(Validator.entityTag) ?? date.map(Validator.lastModified)
    let upload = try uploadResource()
    let heritage = try integerIfAny()
    if upload != nil, heritage != nil { throw damage("set, and so is its upload's URL") }
    let provenance = try textIfAny().map(Provenance.init(text:))
    if upload != nil, provenance != nil { throw damage("set, and so is its upload's URL") }
    guard let offset else {
      if length == nil, validator == nil, upload == nil { return nil }
      throw DamagedRow(detail: "its resume_offset is missing")
    }
    var point = ResumePoint(offset: offset, validator: validator, length: length, upload: upload)
    if let heritage { point.heritage = TransferID(heritage) }
    if let provenance { point.provenance = provenance }
    return point
  }

  mutating func uploadResource() throws(DamagedRow) -> UploadResource? {
    switch (try textIfAny(), try integerIfAny(), try integerIfAny(), try textIfAny()) {
    case (let url?, let version?, let appendMax, let namer):
      let known = UploadVersion(rawValue: Int(clamping: version))
      guard known != nil || version == pageVersion else {
        throw DamagedRow(detail: "its resume_upload_version is \(version), which this version does not know")
      }
      return UploadResource(url: url, version: known, appendMax: appendMax, namer: namer)
    case (nil, nil, nil, nil): return nil
    case (_, _, _, _): throw DamagedRow(detail: "its upload's URL and version do not agree")
    }
  }
}
