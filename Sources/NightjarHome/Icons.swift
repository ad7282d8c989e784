import Hummingbird
import NightjarClient
import NightjarWire

/// The pictures of apps.
struct Icons: Sendable {
  let socket: String
  /// The bytes of the icon of the bundle at a path.
  let read: @Sendable (_ bundle: String) -> [UInt8]?

  /// - Throws: `Refusal` if the app has no picture that browsers show.
  func response(for app: String) async throws -> Response {
    let apps = try await apps()
    guard let bytes = apps.first(where: { $0.id == app })?.path.flatMap(read), let type = Self.type(of: bytes) else {
      throw Refusal(.notFound, "noIcon", "The app has no icon.")
    }
    return Response(
      status: .ok, headers: [.contentType: type, .cacheControl: "no-store"],
      body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  private func apps() async throws -> [ControlInterface.App] {
    do { return try await DaemonConnection(to: socket).call(ControlInterface.ListApps.self).apps } catch {
      throw Refusal(error)
    }
  }

  /// The type by the first bytes, whatever the file's name.
  private static func type(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.starts(with: Array("GIF8".utf8)) { return "image/gif" }
    return bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) ? "image/webp" : nil
  }
}
