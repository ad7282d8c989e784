import ArgumentParser
import Glibc
import NightjarPlatform
import NightjarWire

/// `nightjar upload`.
struct UploadCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "upload", abstract: "Upload a file, which must not change until it is there.",
    discussion: "The daemon uploads; this command only waits for it. Ctrl-C ends the waiting, not the upload.")
  @OptionGroup var common: CommonOptions
  @Argument(help: "The file to send.", completion: .file()) var file: String
  @Argument(help: ArgumentHelp("Where it goes.", valueName: "url")) var url: WebAddress
  @Option(help: ArgumentHelp("The HTTP method.", valueName: "method")) var method = "PUT"
  @OptionGroup var credentials: CredentialOptions
  @OptionGroup var wishes: TransferWishes
  @OptionGroup var queueing: QueueingOptions
  @OptionGroup var scheduling: SchedulingOptions

  func validate() throws {
    guard !file.isEmpty else { throw ValidationError("The file's name is empty; name the file to send.") }
    try url.check()
    try credentials.check()
    try wishes.check()
    try queueing.check()
    try scheduling.check()
    guard !method.isEmpty, method.utf8.allSatisfy(Self.capitals.contains) else {
      throw ValidationError("'\(method)' is no HTTP method; use PUT, POST or another in capital letters.")
    }
  }

  func run(in context: Context) async throws {
    let path = try Self.source(context.surroundings.absolute(file), named: file)
    let address = try credentials.apply(to: [url.text], in: context)[0]
    try await TransferQueue(context: context, options: queueing).run([
      .upload(
        .init(
          key: context.freshKey(), url: address, method: method, headers: queueing.headers, file: path,
          options: scheduling.options(wishes.options), priority: scheduling.priority))
    ])
  }

  private static let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")

  /// The path of a file without links: a path such as `/dev/fd/3` means another file to the daemon.
  private static func source(_ path: String, named name: String) throws(CommandError) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { throw CommandError(.usage, "There is no file \(name).") }
    let kind = status.st_mode & S_IFMT
    guard kind != S_IFDIR else { throw CommandError(.usage, "\(name) is a folder; pack it into one file first.") }
    guard kind == S_IFREG, let resolved = Disk.resolved(path) else {
      throw CommandError(.usage, "\(name) is \(word(for: kind)); write it to a file first.")
    }
    guard access(path, R_OK) == 0 else {
      throw CommandError(.usage, "\(name) may not be read by you, so the daemon could not send it.")
    }
    return resolved
  }

  private static func word(for kind: mode_t) -> String {
    switch kind {
    case S_IFREG: "a file without a name"
    case S_IFIFO: "a pipe, not a file"
    case S_IFSOCK: "a socket, not a file"
    default: "a device, not a file"
    }
  }
}
