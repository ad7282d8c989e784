import ArgumentParser
import NightjarModel
import NightjarWire

/// `nightjar download`.
struct DownloadCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "download", abstract: "Download files, whatever happens to this terminal, the daemon or the machine.",
    discussion: """
      The daemon downloads and delivers; this command only waits for it. Ctrl-C ends the waiting, not the download.
      Without --output the file is named after the last part of the URL's path, in this folder.
      """)
  @OptionGroup var common: CommonOptions
  @Argument(help: ArgumentHelp("What to download.", valueName: "url")) var urls: [WebAddress]
  @Option(
    name: [.short, .long], help: ArgumentHelp("A file, for one URL; or a folder that exists.", valueName: "path"),
    completion: .file())
  var output: String?
  @Flag(help: "Replace files that stand there already.") var force = false
  @Option(
    help: ArgumentHelp(
      "What the file must hash to, such as sha256:9f86d0…; also sha512, sha1 and md5. For one URL.",
      valueName: "algorithm:digits"))
  var checksum: String?
  @OptionGroup var credentials: CredentialOptions
  @OptionGroup var wishes: TransferWishes
  @OptionGroup var queueing: QueueingOptions
  @OptionGroup var scheduling: SchedulingOptions

  func validate() throws {
    for url in urls { try url.check() }
    try credentials.check()
    try wishes.check()
    try queueing.check()
    try scheduling.check()
    if output == "" { throw ValidationError("--output is empty; name a file or a folder, or leave it out.") }
    if output == "-" {
      throw ValidationError(
        "A download is a file, even when nobody listens any more; name it with --output (./- if it is to be called -).")
    }
    guard let checksum else { return }
    guard urls.count == 1 else { throw ValidationError("--checksum is for one URL, and these are \(urls.count).") }
    guard Checksum(checksum) != nil else {
      throw ValidationError("'\(checksum)' is no checksum; write it like sha256:9f86d0… with all its digits.")
    }
  }

  private var options: WireOptions? {
    var options = scheduling.options(wishes.options) ?? WireOptions()
    options.checksum = checksum
    return options == WireOptions() ? nil : options
  }

  func run(in context: Context) async throws {
    let destinations = try Destinations(of: urls.map(\.text), output: output, overwrites: force, context: context)
    let addresses = try credentials.apply(to: urls.map(\.text), in: context)
    let orders = zip(addresses, destinations.paths).map { url, path in
      TransferQueue.Order.download(
        .init(
          key: context.freshKey(), url: url, headers: queueing.headers, destination: path, overwrite: force,
          options: options, priority: scheduling.priority))
    }
    try await TransferQueue(context: context, options: queueing).run(orders)
  }
}
