import Testing

@testable import NightjarTransfer

/// Which mount a path leads to.
@Suite struct MountTableTests {
  private let table = MountTable(
    """
    22 1 0:1 / / rw - ext4 /dev/sda1 rw
    23 22 0:2 / /home rw - ext4 /dev/sda2 rw
    30 22 0:3 / /mnt/far rw - nfs server:/far rw
    31 30 0:4 / /mnt/far/near rw - tmpfs none rw
    32 22 0:5 / /mnt/two\\040words rw - vfat /dev/sdb1 rw
    33 22 0:6 / /mnt/far rw - nfs other:/far rw
    34 22 0:7 / /mnt/odd\u{600} rw - nfs other:/odd rw
    no line of the list
    """)

  private let links = ["/home/u/far": "../../mnt/./far/shelf", "/home/u/here": "/home/u/there", "/home/u/loop": "loop"]

  @Test(arguments: [
    ("/home/u/file", 23), ("/etc/fstab", 22), ("/", 22), ("/mnt/far", 33), ("/mnt/far/file", 33), ("/mnt/farther", 22),
    ("/mnt/far/near/file", 31), ("/mnt/two words/file", 32), ("/home/../mnt//far/./file", 33), ("/home/u/far/file", 33),
    ("/home/u/here/file", 23), ("/home/u/loop/file", 23), ("/mnt/far/../../home/file", 33), ("/mnt/../home/file", 23),
    ("/mnt/odd\u{600}/file", 34), ("/mnt/far/\u{301}file", 33), ("/home/u/a\u{600}/../far/file", 33),
  ])
  func `a path lies on the mount that it leads to`(path: String, mount: Int) {
    #expect(table.mount(of: path, following: 23) { links[$0] } == mount)
  }

  @Test func `nothing is touched below a mount that may not answer`() {
    var touched: [String] = []

    let mount = table.mount(of: "/home/u/far/file", following: 23) { path in
      touched.append(path)
      return links[path]
    }

    #expect(mount == 33)
    #expect(touched == ["/home", "/home/u", "/home/u/far", "/mnt"])
  }

  @Test func `a path that is too long for the kernel is not followed`() {
    let long = String(repeating: "/a", count: 2048)
    var touched = 0

    let mount = table.mount(of: long, following: 23) { _ in
      touched += 1
      return nil
    }
    let grown = table.mount(of: "/home/u", following: 23) { _ in long }

    #expect(mount == 23)
    #expect(touched == 0)
    #expect(grown == 0)
  }

  @Test func `without a list everything lies in one place`() {
    #expect(MountTable("").mount(of: "/home/u/file", following: 0) { _ in nil } == 0)
    #expect(MountTable("").isEmpty)
  }
}
