import FoundationEssentials
import NightjarCommand

/// A systemd of two scripts, which write down what they are told. They have nothing but the shell.
extension Bench {
  /// Surroundings with such a systemd.
  ///
  /// - Parameters:
  ///   - systemctl: What its script does; nothing at all means that everything succeeds, and nothing is there.
  ///   - daemon: The name of the `nightjard` that a service would run.
  func surroundings(
    systemctl: String, loginctl: String = "exit 0", daemon: String = "nightjard"
  ) throws -> Surroundings {
    try FileManager.default.createDirectory(atPath: folder + "/tools", withIntermediateDirectories: true)
    for (name, text) in [("systemctl", systemctl), ("loginctl", loginctl)] {
      try script("#!/bin/sh\necho \(name) \"$*\" >> \(folder)/told\n\(text)\n", to: "tools/" + name)
    }
    try write("", to: daemon)
    return surroundings(
      environment: ["PATH": folder + "/tools", "HOME": folder, "XDG_RUNTIME_DIR": folder],
      daemonProgram: folder + "/" + daemon)
  }

  /// What systemd was told, without what it was asked.
  var told: [String] {
    let text = String(decoding: FileManager.default.contents(atPath: folder + "/told") ?? Data(), as: UTF8.self)
    return text.split(separator: "\n").map(String.init).filter { !$0.contains(" show") }
  }

  /// The units that were written.
  var units: [String] {
    let units = folder + "/.config/systemd/user"
    return ((try? FileManager.default.contentsOfDirectory(atPath: units)) ?? []).sorted()
  }
}
