import Glibc

/// Where the launcher puts its cgroups.
public enum CgroupChoice: Hashable, Sendable {
  /// Below the cgroup in which the daemon itself runs, if that may be.
  case automatic
  /// Below this folder of a cgroup v2 file system.
  case under(String)
  /// Nowhere: as on a machine without cgroup v2.
  case never
}

/// By what means apps are suspended and ended.
public enum Suspension: Hashable, Sendable {
  /// Each app in a cgroup v2 leaf of its own, below this folder.
  case cgroup(parent: String)
  /// Signals to the app's process group, and why there are no cgroups.
  case signals(why: String)
}

/// The cgroups (v2) of this machine, as far as we may use them (cgroups(7)).
struct Cgroups {
  /// Finds the folder for a home's leaves, by a name that no other home has, and tries out whether a process can be
  /// started in one.
  static func suspension(_ choice: CgroupChoice, home: String) -> Suspension {
    let base: String
    switch choice {
    case .never: return .signals(why: "cgroups are switched off in the configuration")
    case .under(let folder): base = folder
    case .automatic:
      guard let own = ownFolder() else { return .signals(why: "there is no cgroup v2 file system") }
      // A daemon in a leaf of its own (systemd's DelegateSubgroup=daemon) keeps its apps beside it.
      base = Disk.name(of: own) == "daemon" ? Disk.parent(of: own) ?? own : own
    }
    return tried(parent: base + "/nightjar/" + home)
  }

  /// The folder of the cgroup that a process is in.
  static func folder(ofProcess pid: String) -> String? {
    guard let mount = CgroupMount.ours, let text = Disk.text(of: "/proc/\(pid)/cgroup"),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") })
    else { return nil }
    return mount.folder(of: String(line.dropFirst(3)))
  }

  static func ownFolder() -> String? { folder(ofProcess: "self") }

  private static func tried(parent: String) -> Suspension {
    do throws(PlatformError) {
      let probe = try Leaf(at: parent + "/.probe")  // No app's name begins like this.
      defer { probe.remove() }
      try probe.admit()
      for name in ["/cgroup.freeze", "/cgroup.kill"] where access(probe.path + name, W_OK) != 0 {
        throw .system("cannot write to \(probe.path + name)")
      }
      return .cgroup(parent: parent)
    } catch {
      return .signals(why: error.detail)
    }
  }
}
