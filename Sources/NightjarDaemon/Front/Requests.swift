import NightjarModel
import NightjarWire
import Varlink

func invalidTask(_ field: String, _ reason: String) -> VarlinkError {
  AppInterface.InvalidRequest(field: field, reason: reason).varlink
}

extension ControlInterface.Download.Parameters {
  /// The request for a download that the daemon delivers itself.
  func request() throws(VarlinkError) -> TransferRequest {
    var request = TransferRequest(
      key: try RequestKey(key, else: invalidOrder), app: .commandLine, url: url,
      headers: headers.map { HTTPField($0.name, $0.value) },
      destination: try Destination(destination, overwrites: overwrite, else: invalidOrder))
    if let options { request.options = try options.options(else: invalidOrder) }
    if let priority { request.priority = Float(priority) }
    return request
  }
}

extension ControlInterface.Upload.Parameters {
  /// The request for an upload that belongs to no app.
  func request() throws(VarlinkError) -> TransferRequest {
    var request = TransferRequest(
      key: try RequestKey(key, else: invalidOrder), app: .commandLine,
      direction: try .upload(file, else: invalidOrder), method: method, url: url,
      headers: headers.map { HTTPField($0.name, $0.value) })
    if let options { request.options = try options.options(else: invalidOrder) }
    if let priority { request.priority = Float(priority) }
    try request.checkOptions(else: invalidOrder)
    return request
  }
}

func invalidOrder(_ field: String, _ reason: String) -> VarlinkError {
  ControlInterface.InvalidRequest(field: field, reason: reason).varlink
}
