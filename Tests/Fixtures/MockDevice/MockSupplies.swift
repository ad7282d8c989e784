import Glibc
import Synchronization

/// A machine's power supplies as sysfs and the kernel's uevents show them, for programs that run below it (umockdev).
///
/// It is a program of its own, which reads what to do, line by line, and has done it when it answers.
public final class MockSupplies: Sendable {
  private let folder = Helper.folder()
  private let helper: Helper
  private let orders: Int32
  private let answers: Int32

  /// A battery that is being used, at 17 %.
  public init() throws {
    let paths = (orders: folder + "/orders", answers: folder + "/answers")
    mkfifo(paths.orders, 0o600)
    mkfifo(paths.answers, 0o600)
    // Both ends, so that opening never waits.
    (orders, answers) = (open(paths.orders, O_RDWR | O_CLOEXEC), open(paths.answers, O_RDWR | O_CLOEXEC))
    helper = try Helper(
      ["umockdev-wrapper", "/usr/bin/python3", "-c", Self.program, paths.orders, paths.answers],
      environment: ["PATH": "/usr/bin:/bin"],
      output: folder + "/mock.log")
    guard answer() != nil else {
      throw Missing("umockdev did not begin:\n\(Helper.text(folder + "/mock.log"))")
    }
  }

  deinit {
    helper.kill()
    close(orders)
    close(answers)
    for name in ["orders", "answers", "mock.log"] { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  /// What programs are to be started under: the command that stands before theirs.
  public var prefix: [String] {
    get throws {
      let bed = try order("bed.get_root_dir()")
      return ["env", "UMOCKDEV_DIR=\(bed)", "umockdev-wrapper"]
    }
  }

  /// Changes the battery, and has the kernel tell of it unless it keeps quiet.
  public func setBattery(percent: Int, status: String, quietly: Bool = false) throws {
    _ = try order("set(battery, 'capacity', '\(percent)')")
    _ = try order("set(battery, 'status', '\(status)')")
    if !quietly { _ = try order("bed.uevent(battery, 'change')") }
  }

  /// Plugs it in, or out.
  public func setPlugged(_ isPlugged: Bool) throws {
    _ = try order("set(line, 'online', '\(isPlugged ? 1 : 0)')")
    _ = try order("bed.uevent(line, 'change')")
  }

  private func order(_ line: String) throws -> String {
    let bytes = Array((line + "\n").utf8)
    write(orders, bytes, bytes.count)
    guard let answer = answer() else {
      throw Missing("umockdev did not do '\(line)':\n\(Helper.text(folder + "/mock.log"))")
    }
    return answer
  }

  /// The next line that it says; nil if none comes.
  private func answer() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    var wanted = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
    while poll(&wanted, 1, 30_000) > 0, read(answers, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }

  private static let program = """
    import sys, gi
    gi.require_version('UMockdev', '1.0')
    from gi.repository import UMockdev
    orders, answers = open(sys.argv[1]), open(sys.argv[2], 'w')
    bed = UMockdev.Testbed.new()
    battery = bed.add_device('power_supply', 'BAT0', None,
      ['type', 'Battery', 'present', '1', 'status', 'Discharging', 'capacity', '17', 'energy_full', '50000000'], [])
    mouse = bed.add_device('power_supply', 'mouse', None,
      ['type', 'Battery', 'scope', 'Device', 'present', '1', 'status', 'Discharging', 'capacity', '3'], [])
    line = bed.add_device('power_supply', 'AC', None, ['type', 'Mains', 'online', '0'], [])
    def set(device, name, value): bed.set_attribute(device, name, value)
    def answer(text): print(text, file=answers, flush=True)
    answer('ready')
    for order in orders:
      answer(str(eval(order)))
    """
}
