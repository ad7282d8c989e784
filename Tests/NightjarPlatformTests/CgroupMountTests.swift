import Testing

@testable import NightjarPlatform

@Suite struct `A mount of cgroups` {
  @Test(arguments: [
    ("/", "/", "/sys/fs/cgroup"), ("/", "/user.slice/app", "/sys/fs/cgroup/user.slice/app"),
    ("/box", "/box", "/sys/fs/cgroup"), ("/box", "/box/app", "/sys/fs/cgroup/app"),
  ])
  func `has a folder for each cgroup below its top`(root: String, cgroup: String, folder: String) {
    #expect(CgroupMount(point: "/sys/fs/cgroup", root: root).folder(of: cgroup) == folder)
  }

  @Test(arguments: ["/", "/other", "/box2", "/box2/app", "/../outside"])
  func `has none for a cgroup that lies elsewhere, though its name begins alike`(cgroup: String) {
    #expect(CgroupMount(point: "/sys/fs/cgroup", root: "/box").folder(of: cgroup) == nil)
  }
}
