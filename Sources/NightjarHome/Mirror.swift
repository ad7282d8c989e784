import FoundationEssentials
import Hummingbird
import NightjarClient
import NightjarWire

/// The daemon's methods as the page calls them: `POST /api/Launch` with the parameters as JSON, answered with the
/// reply.
///
/// It contains only what a person does on a home screen, and no methods that name files or URLs.
struct Mirror: Sendable {
  typealias Deed = @Sendable (ByteBuffer, DaemonConnection) async throws -> Response

  let socket: String

  private static let deeds: [String: Deed] = Dictionary(
    uniqueKeysWithValues: [
      deed(ControlInterface.Status.self), deed(ControlInterface.ListApps.self), deed(ControlInterface.Launch.self),
      deed(ControlInterface.Leave.self), deed(ControlInterface.Terminate.self), deed(ControlInterface.WhyApp.self),
      deed(ControlInterface.ListTransfers.self), deed(ControlInterface.Why.self), deed(ControlInterface.Pause.self),
      deed(ControlInterface.Resume.self), deed(ControlInterface.Cancel.self), deed(ControlInterface.ShowDevice.self),
      deed(ControlInterface.SetDevice.self), deed(ControlInterface.ResetDevice.self),
      deed(ControlInterface.ListRecords.self), deed(ControlInterface.ListRecents.self),
      deed(ControlInterface.RemoveRecent.self), deed(ControlInterface.ShowView.self),
      deed(ControlInterface.ShowSnapshot.self), deed(ControlInterface.Act.self),
      deed(ControlInterface.ListSettings.self), deed(ControlInterface.ChangeSettings.self),
      deed(ControlInterface.ListNotices.self), deed(ControlInterface.TapNotice.self),
      deed(ControlInterface.DismissNotice.self), deed(ControlInterface.ListFetches.self),
      deed(ControlInterface.ListFetchDecisions.self), deed(ControlInterface.FetchNow.self),
      deed(ControlInterface.ShowHabits.self), deed(ControlInterface.ForgetHabits.self),
    ])

  /// Calls a method over a separate connection, so that a slow call does not delay others.
  ///
  /// - Throws: `Refusal`.
  func call(_ method: String, _ parameters: ByteBuffer) async throws -> Response {
    guard let deed = Self.deeds[method] else {
      throw Refusal(.notFound, "noSuchMethod", "The home screen calls no method \(method.prefix(80)).")
    }
    do {
      return try await deed(parameters, DaemonConnection(to: socket))
    } catch let error as ClientError {
      throw Refusal(error)
    }
  }

  private static func deed<Method: WireMethod & SendableMetatype>(_ method: Method.Type) -> (String, Deed) {
    let name = Method.name.split(separator: ".").last.map(String.init) ?? Method.name
    return (
      name,
      { bytes, daemon in
        let parameters: Method.Parameters
        do { parameters = try JSONDecoder().decode(Method.Parameters.self, from: Data(bytes.readableBytesView)) } catch
        {
          throw Refusal(.badRequest, "badParameters", "The parameters of \(name) cannot be read: \(error)")
        }
        return .json(try await daemon.call(method, parameters))
      }
    )
  }
}
