/// The desktop that a person sits at, if the environment names one.
struct Desktop: Sendable {
  private let environment: [String: String]

  /// Nil if there is no display.
  init?(_ environment: [String: String]) {
    guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { !(environment[$0] ?? "").isEmpty }) else { return nil }
    self.environment = environment
  }

  /// Opens a file with the person's preferred program (xdg-open(1)). Failures are ignored.
  func open(_ path: String) {
    let programs = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/xdg-open" }
    guard let program = programs.first(where: Tool.isProgram) else { return }
    _ = try? DetachedProcess(program, [path], environment: environment, log: "/dev/null")
  }
}
