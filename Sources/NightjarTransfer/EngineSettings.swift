public import NightjarModel

/// Every bound of the transfer engine. Each has a default that suits a small device, and each can be set.
public struct EngineSettings: Hashable, Sendable {
  /// Connections that may be open to one origin at a time; an HTTP/2 origin gets one.
  public var connectionsPerHostMax = 6
  /// How long a name, a connection and TLS may take together.
  public var connectTimeout: Duration = .seconds(30)
  /// How many names are looked up at a time.
  public var lookUpsMax = 16
  /// How long the server may be silent on a shared connection in use before no request goes over it that must not be
  /// made twice.
  public var silenceMax: Duration = .seconds(2)
  /// How long an unused connection is kept.
  public var idleTimeout: Duration = .seconds(15)
  /// The pause before dialling again after a dial has failed while other connections to the origin live. It doubles
  /// with each further failure, up to ``redialPauseMax``, until a dial succeeds.
  public var redialPauseMin: Duration = .seconds(1)
  /// The longest pause before dialling again.
  public var redialPauseMax: Duration = .seconds(30)
  /// How often a request is sent again whose kept connection the server may just have closed.
  public var staleRetriesMax = 3
  /// As many bytes as wait of all streams of an HTTP/2 connection together before nothing more is read from it.
  public var heldMax = 32 << 20

  /// A download is synced and its offset reported when this many bytes came since the last time.
  public var checkpointBytes: Int64 = 64 << 20
  /// A download is synced and its offset reported at least this often while bytes flow.
  public var checkpointInterval: Duration = .seconds(5)
  /// Reading stops while more bytes than this wait for a sync.
  public var unsyncedMax: Int64 = 128 << 20
  /// A download with at least this many bytes to come is written past the page cache where the file system supports it
  /// (``DirectFile``), unless the engine has to read it again. A shorter one costs little to sync, and may be read
  /// soon.
  public var directBytesMin: Int64 = 64 << 20
  /// How many downloads are written past the page cache at a time.
  public var directMax = 2
  /// The most bytes that one write past the page cache takes.
  public var directPieceSize = 1 << 20
  /// Reading stops while more bytes than this wait to be written past the page cache.
  public var directWaitingMax: Int64 = 4 << 20
  /// How much of a file is read at a time while its checksum is computed; in between the transfer can be stopped.
  public var verifyingStep: Int64 = 64 << 20
  /// Free space that is left alone on the staging area's file system, in bytes.
  public var freeSpaceMin: Int64 = 64 << 20
  /// The most bytes by which a file's share of the free space grows at a time: what one transfer may have and not use
  /// while another looks for room.
  public var helpingMax: Int64 = 16 << 20

  /// The most bytes that one read from a connection takes. Large reads are what makes downloads cheap; memory is
  /// touched only as far as bytes come, so a slow connection costs little of it.
  public var receiveSize = 4 << 20
  /// The most bytes that one read takes over TLS, where decrypting costs more than reading and the bytes are held
  /// twice.
  public var secureReceiveSize = 1 << 20
  /// The size of one piece of an upload; two are under way at a time.
  public var sendSize = 512 << 10
  /// Bytes that all transfers together may move in a second, in both directions; nil for no bound.
  public var bytesPerSecondMax: Int64?
  /// The least time between two progress facts of a transfer.
  public var progressInterval: Duration = .milliseconds(200)

  /// Redirects that are followed before the chain is given up.
  public var redirectsMax = 20
  /// The longest wait that a server may ask for; one that asks for more is said to, and not for how much.
  public var retryAfterMax: Duration = .hours(24)
  /// All header fields of an answer together, in bytes.
  public var headersMax = 64 << 10
  /// Informational answers (1xx) that may come before the final one.
  public var informationalMax = 32
  /// How many informational answers are reported for an attempt.
  public var informationalToldMax = 8
  /// Unwanted bytes of an answer that are read so that its connection can be used again.
  public var drainMax = 64 << 10
  /// How many times its size a coded body may unfold to, once it has come to more than ``unfoldedMin``.
  public var unfoldingRatioMax = 250
  /// Until so many bytes have come out of a coded body, no ratio is suspicious: a page of blanks is small either way.
  public var unfoldedMin: Int64 = 64 << 20
  /// About how many bytes of a coded body are unfolded in one turn of an event loop.
  public var unfoldedPerTurnMax = 4 << 20
  /// The longest reply to an upload that is kept, in bytes; of a longer one only the head is.
  public var replyMax: Int64 = 16 << 20

  /// The supported versions of *Resumable Uploads for HTTP*, the one to offer at the front; empty for ordinary uploads
  /// only.
  public var uploadVersions: [UploadVersion] = [.eight, .six, .five, .three]

  /// Threads for calls that block for a moment: opening, syncing, renaming, reading what is uploaded.
  public var fileThreads = 5
  /// A complete file with at least this many unsynced bytes is synced apart from the others, which do not wait for it.
  public var sealedApartMin: Int64 = 16 << 20
  /// Where the kernel lists the mounts. Files on another mount than the staging area's are touched on threads of that
  /// mount: a call may take hours, or never return.
  public var mountList = "/proc/self/mountinfo"
  /// How long a call on a file of another mount may take before its file system counts as not answering. A disk that
  /// has spun down has time to start.
  public var filePatience = Duration.seconds(10)
  /// The proxies of transfers that name none of their own; nil to go directly.
  public var proxies: Proxies?
  /// A PEM file of certificate authorities trusted beside the system's.
  public var trustedCertificates: String?
  /// The permissions of a delivered file: what the umask of whoever runs the engine leaves of 0666.
  public var deliveredMode: UInt32 = 0o644

  /// The defaults.
  public init() {}
}
