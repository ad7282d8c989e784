import ArgumentParser
import NightjarModel

/// The name of a new app: it becomes a folder, a Swift module and a program.
struct NewAppName: ExpressibleByArgument, Hashable, Sendable {
  let text: String

  private static let charactersMax = 64

  /// Accepts any text; ``check()`` reports what is wrong with it.
  init(argument: String) { text = argument }

  /// - Throws: `ValidationError` if no Swift module of the template's shape can have this name.
  func check() throws {
    try checkLetters()
    guard !Self.taken.contains(text.lowercased()), !Self.targets.contains(text) else {
      throw ValidationError("'\(text)' means something else in Swift or in Nightjar; choose another name.")
    }
  }

  /// Checks the name of an app that is not compiled.
  ///
  /// - Throws: `ValidationError` if no folder and no program ought to have this name.
  func checkLetters() throws {
    guard let first = text.utf8.first, Self.isLetter(first), text.utf8.allSatisfy(Self.isAllowed) else {
      throw ValidationError(
        "'\(text)' cannot be an app's name: use letters, digits and '_', and begin with a letter, as in HelloThere.")
    }
    guard text.utf8.count <= Self.charactersMax else {
      throw ValidationError("'\(text)' is too long for a name; \(Self.charactersMax) characters are the most.")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
  }

  /// Reserved names: keywords, modules that the app imports, its types, and packages that its own would be confused
  /// with.
  private static let taken = Set(
    """
    any as associatedtype async await break case catch class continue default defer deinit do else enum extension
    fallthrough false fileprivate for func guard if import in init inout internal is let main nil operator package
    precedencegroup private protocol public repeat rethrows return self static struct subscript super switch throw throws
    true try typealias var where while appdelegate downloads swift foundation foundationessentials foundationnetworking
    dispatch glibc synchronization nightjar hummingbird
    """.split { $0 == " " || $0 == "\n" }.map(String.init))

  /// The targets that Nightjar's products are made of, its own and those of its dependencies. SwiftPM wants unique
  /// target names among all packages that are built together, even if the app does not use the other target.
  private static let targets = Set(
    """
    BackgroundTasks CNightjarBus CNightjarFiles CNightjarSpawn CNightjarZlib CVarlinkLinux HTTPPreparation Nightjar
    NightjarBacktest NightjarClient NightjarCommand NightjarCore NightjarDaemon NightjarHabits NightjarHome NightjarModel
    NightjarPictures NightjarPlatform NightjarSimulator NightjarStore NightjarTerminal NightjarTesting NightjarTransfer
    NightjarWire UIKit UserNotifications Varlink nightjard
    Algorithms ArgumentParser ArgumentParserToolInfo AsyncAlgorithms AsyncHTTPClient AsyncStreaming Atomics
    BasicContainers BitCollections CAsyncHTTPClient CCryptoBoringSSL CCryptoBoringSSLShims CNIOAtomics CNIOBoringSSL
    CNIOBoringSSLShims CNIODarwin CNIOExtrasZlib CNIOFreeBSD CNIOLLHTTP CNIOLinux CNIOOpenBSD CNIOPosix CNIOSHA1 CNIOWASI
    CNIOWindows CSystem CXKCP CXKCPShims Collections ComplexModule ConcurrencyHelpers Configuration ConfigurationTesting
    ConfigurationTestingInternal ContainersPreview CoreMetrics Crypto CryptoBoringWrapper CryptoExtras DequeModule GRDB
    GRDBSQLite HTTPTypes HTTPTypesFoundation HashTreeCollections HeapModule Hummingbird HummingbirdCore HummingbirdHTTP2
    HummingbirdRouter HummingbirdTLS HummingbirdTesting InMemoryLogging InMemoryTracing Instrumentation
    InstrumentationBaggage InternalCollectionsUtilities Logging Metrics MetricsTestKit NIO NIOCertificateHelpers
    NIOCertificateReloading NIOConcurrencyHelpers NIOCore NIOEmbedded NIOExtras NIOFileSystem NIOFoundationCompat
    NIOFoundationEssentialsCompat NIOHPACK NIOHTTP1 NIOHTTP2 NIOHTTPCompression NIOHTTPResponsiveness NIOHTTPTypes
    NIOHTTPTypesHTTP1 NIOHTTPTypesHTTP2 NIOPosix NIOResumableUpload NIOSOCKS NIOSSL NIOSSLHTTP1Client NIOTLS NIOTLSServer
    NIOTestUtils NIOTransportServices NIOWebSocket Numerics OrderedCollections PerformanceTest RawStructuredFieldValues
    RealModule ServiceContextModule ServiceContextModuleCompatibility ServiceLifecycle ServiceLifecycleTestKit
    SortedCollections StructuredFieldValues SwiftASN1 SystemPackage Tracing TrailingElementsModule UnixSignals X509
    """.split { $0 == " " || $0 == "\n" }.map(String.init))
}

/// A bundle identifier that a person chose.
struct NewIdentifier: ExpressibleByArgument, Hashable, Sendable {
  let text: String

  /// Accepts any text; ``check()`` reports what is wrong with it.
  init(argument: String) { text = argument }

  /// - Throws: `ValidationError` if no app can have this identifier.
  func check() throws {
    guard AppID.mayBeTaken(text) else {
      throw ValidationError(
        "'\(text)' cannot be an identifier: use 1 to 128 letters, digits, '.', '-' and '_', not digits alone, as in "
          + "com.example.Hello.")
    }
  }
}
