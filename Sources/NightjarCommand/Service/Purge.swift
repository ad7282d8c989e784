import NightjarClient
import NightjarPlatform
import NightjarWire

/// Everything that a home has, and its removal.
struct Purge: Sendable {
  private let context: Context
  private let home: Home

  init(_ context: Context) throws(CommandError) {
    self.context = context
    do throws(PlatformError) { home = try Home(environment: context.home.environment ?? [:]) } catch {
      throw CommandError(.usage, error.detail)
    }
  }

  /// The folders of the home.
  var folders: [String] { home.folders }

  /// Ends every app that runs, while there is a daemon that can.
  ///
  /// - Returns: Those that it has ended.
  func endApps() async throws -> [String] {
    guard let connection = try? context.connect() else { return [] }
    var ended: [String] = []
    for app in try await connection.call(ControlInterface.ListApps.self).apps where app.path != nil && app.pid != nil {
      guard (try? await connection.call(ControlInterface.Terminate.self, .init(app: app.id))) != nil else { continue }
      ended.append(app.id)
    }
    return ended
  }

  /// Removes the home, once no daemon serves it.
  ///
  /// - Returns: The folders that are gone.
  func remove() async throws -> [String] {
    do throws(PlatformError) { return try home.remove() } catch { throw CommandError(.refused, "\(error.detail).") }
  }
}
