/// Something that works less well on this machine than it could, in words for `nightjar status`.
public struct Degradation: Hashable, Sendable {
  /// A short name that programs may look for.
  public let name: String
  /// What is degraded, what follows from it, and what to do about it.
  public let detail: String

  /// A degradation in both forms.
  public init(_ name: String, _ detail: String) { (self.name, self.detail) = (name, detail) }
}

/// What is degraded on this machine.
public enum Degradations {
  /// Looks at everything this room can tell. Costs a few system calls.
  public static func found(
    home: Home, launcher: Launcher, identity: PeerIdentity, memory: MemorySensor, logs: LogKeeper, zone: ZoneSensor
  ) -> [Degradation] {
    [suspension(launcher), of(identity, launcher), runtime(home), root(home), exits(), of(memory), of(logs), of(zone)]
      .compactMap { $0 }
  }

  private static func suspension(_ launcher: Launcher) -> Degradation? {
    guard case .signals(let why) = launcher.suspension else { return nil }
    return Degradation(
      "signals-only",
      """
      Apps are suspended and ended by signals to their process group, not by cgroup: \(why). A process of an app that \
      makes a session of its own escapes both. Remedy: run the daemon in a delegated unit, as with \
      systemd-run --user --scope -p Delegate=yes nightjard
      """)
  }

  private static func of(_ identity: PeerIdentity, _ launcher: Launcher) -> Degradation? {
    switch identity.means {
    case .pidfdInfo: return nil
    case .procCgroup:
      return Degradation(
        "older-identity",
        """
        Apps are recognised by pid and /proc, because this kernel (\(KernelVersion.running)) cannot name the cgroup of a socket's \
        peer, or because the configuration says so. An app that connects and ends at once may not be recognised. \
        Remedy: Linux 6.13 or later.
        """)
    case .launchTable:
      return Degradation(
        "identity-by-pid",
        """
        Apps are recognised by the process that was launched and its session. A process of an app that makes a session \
        of its own is taken for a stranger. Remedy: as for cgroups.
        """)
    }
  }

  private static func runtime(_ home: Home) -> Degradation? {
    guard home.runtimeIsFallback else { return nil }
    return Degradation(
      "no-runtime-folder",
      """
      The socket lies at \(home.socket), because XDG_RUNTIME_DIR names no folder of yours. Clients with the same HOME \
      find it. Remedy: log in through pam_systemd, or set NIGHTJAR_HOME.
      """)
  }

  private static func root(_ home: Home) -> Degradation? {
    home.openRoot.map { folder in
      Degradation(
        "open-home",
        """
        The folder \(folder) belongs to another user, and anybody may write into it: whoever can reach it can rename \
        Nightjar's folders, though not look into them, and put others in their place. Remedy: have its owner close it \
        (chmod o-w) or let everybody rename only what is theirs (chmod +t), then restart the daemon.
        """)
    }
  }

  private static func of(_ memory: MemorySensor) -> Degradation? {
    memory.shortcoming.map { why in
      Degradation(
        "memory-polled",
        """
        Whether memory is short is looked at every other second, because the kernel does not tell: \(why). Remedy: Linux \
        with pressure stall information (psi=1 on its command line).
        """)
    }
  }

  private static func of(_ logs: LogKeeper) -> Degradation? {
    logs.shortcoming.map { why in
      Degradation(
        "logs-unwatched",
        """
        However long an app's log grows, it begins anew only when the app or the daemon is started: \(why). Remedy: \
        once that is mended, restart the daemon.
        """)
    }
  }

  private static func of(_ zone: ZoneSensor) -> Degradation? {
    zone.shortcoming.map { why in
      Degradation(
        "zone-unwatched",
        """
        That the device is in another time zone is noticed only when something else changes, such as the network or \
        the battery, or after a sleep: \(why). Remedy: once that is mended, restart the daemon.
        """)
    }
  }

  private static func exits() -> Degradation? {
    guard KernelVersion.running < KernelVersion("6.15") else { return nil }
    return Degradation(
      "unknown-exits",
      """
      When an app ends that an earlier daemon launched, it may stay unknown how, because this kernel (\(KernelVersion.running)) tells \
      only a process's parent. Remedy: Linux 6.15 or later.
      """)
  }
}
