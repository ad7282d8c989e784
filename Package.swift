// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// What every Swift target of ours is compiled with, unless it says otherwise.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")

/// The pure rooms: every rule, and the made-up world that they are tried in. No dependency, no Foundation.
let pure: [Target] = [
  .target(name: "NightjarPictures"),
  .target(name: "NightjarModel"),
  .target(name: "NightjarHabits", dependencies: ["NightjarModel"]),
  .target(name: "NightjarCore", dependencies: ["NightjarModel", "NightjarHabits"]),
  .target(
    name: "NightjarSimulator", dependencies: ["NightjarModel", "NightjarHabits", "NightjarCore", "NightjarPictures"]),
  .executableTarget(
    name: "nightjar-soak", dependencies: ["NightjarSimulator", "NightjarModel", "NightjarHabits", "NightjarCore"]),
]

/// What the daemon's clients speak.
let protocols: [Target] = [
  .target(name: "CVarlinkLinux"),
  .target(name: "Varlink", dependencies: ["CVarlinkLinux"]),
  .executableTarget(name: "varlink-certification", dependencies: ["Varlink"]),
  .target(
    name: "NightjarWire", dependencies: ["NightjarModel", "Varlink"],
    resources: [
      .embedInCode("Interfaces/dev.nightjar.App.varlink"), .embedInCode("Interfaces/dev.nightjar.Control.varlink"),
    ]),
]

/// The daemon and its thin rooms.
let daemon: [Target] = [
  .target(name: "CNightjarFiles"),
  .systemLibrary(name: "CNightjarZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
  .target(name: "CNightjarBus"),
  .target(name: "CNightjarSpawn"),
  .target(
    name: "NightjarStore",
    dependencies: ["NightjarModel", "NightjarCore", grdb, .product(name: "GRDBSQLite", package: "GRDB.swift")]),
  .target(name: "HTTPPreparation", dependencies: [nioCore, nioHTTP1]),
  .target(
    name: "NightjarTransfer",
    dependencies: [
      "NightjarModel", "HTTPPreparation", "CNightjarFiles", "CNightjarZlib", crypto, logging, nioCore, nioPosix,
      nioHTTP1, nioHTTP2, nioSSL, nioTLS,
    ]),
  .target(
    name: "NightjarBacktest",
    dependencies: ["NightjarModel", "NightjarHabits", "NightjarCore", "NightjarPictures", "CNightjarZlib"]),
  .target(
    name: "NightjarPlatform", dependencies: ["NightjarModel", "CNightjarBus", "CNightjarSpawn"]),
  .target(
    name: "NightjarDaemon",
    dependencies: [
      "NightjarModel", "NightjarCore", "NightjarStore", "NightjarTransfer", "NightjarPlatform", "NightjarWire",
      "Varlink", logging, nioCore, nioPosix, serviceLifecycle,
    ]),
  .executableTarget(
    name: "nightjard",
    dependencies: [
      "NightjarDaemon", "NightjarCore", "NightjarModel", "NightjarPlatform", "NightjarTransfer", argumentParser,
      logging, serviceLifecycle, systemPackage, unixSignals,
      .product(name: "Configuration", package: "swift-configuration"),
    ]),
]

/// What people and apps use.
let clients: [Target] = [
  .target(name: "NightjarClient", dependencies: ["NightjarModel", "NightjarWire", "Varlink"]),
  .target(
    name: "NightjarHome",
    dependencies: [
      "HTTPPreparation", "NightjarClient", "NightjarWire", logging, nioCore,
      .product(name: "HTTPTypes", package: "swift-http-types"),
      .product(name: "Hummingbird", package: "hummingbird"),
      .product(name: "HummingbirdCore", package: "hummingbird"),
      .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
    ],
    resources: [.embedInCode("Page")]),
  .target(
    name: "NightjarCommand",
    dependencies: [
      "NightjarBacktest", "NightjarClient", "NightjarHome", "NightjarModel", "NightjarPictures", "NightjarPlatform",
      "NightjarSimulator", "NightjarWire", argumentParser,
    ]),
  .executableTarget(name: "nightjar-cli", dependencies: ["NightjarCommand"]),
  .target(name: "Nightjar", dependencies: ["NightjarModel", "NightjarWire", "Varlink"]),
  .target(
    name: "NightjarTesting",
    dependencies: [
      "Nightjar", "NightjarSimulator", "NightjarPictures", "NightjarCore", "NightjarModel", "NightjarWire",
    ]),
  .target(name: "UIKit", dependencies: ["Nightjar"]),
  .target(name: "BackgroundTasks", dependencies: ["Nightjar"]),
  .target(name: "UserNotifications", dependencies: ["Nightjar"]),
  .target(name: "NightjarTerminal"),
  .executableTarget(
    name: "nightjar-terminal", dependencies: ["Nightjar", "NightjarTerminal"]),
]

/// The example: a server and an app.
let videoFarm: [Target] = [
  .target(
    name: "VideoFarmServer",
    dependencies: [
      "HTTPPreparation", grdb, crypto, logging, nioCore, nioPosix, serviceLifecycle, unixSignals,
      .product(name: "Hummingbird", package: "hummingbird"),
      .product(name: "HummingbirdCore", package: "hummingbird"),
      .product(name: "HTTPTypes", package: "swift-http-types"),
      .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
    ],
    path: "Examples/VideoFarm/Server"),
  .executableTarget(
    name: "videofarm-server", dependencies: ["VideoFarmServer", argumentParser, logging],
    path: "Examples/VideoFarm/ServerTool"),
  .target(
    name: "VideoFarmKit", dependencies: ["Nightjar", crypto], path: "Examples/VideoFarm/Kit"),
  .executableTarget(
    name: "VideoFarm", dependencies: ["VideoFarmKit", "Nightjar"], path: "Examples/VideoFarm/App"),
  .executableTarget(
    name: "nightjar-demo",
    dependencies: [
      "CNightjarSpawn", "NightjarClient", "NightjarModel", "NightjarPlatform", "NightjarWire", argumentParser, crypto,
      grdb,
    ],
    path: "Examples/Demo"),
]

/// The example with a view.
let daybook = Target.executableTarget(
  name: "Daybook", dependencies: ["Nightjar"], path: "Examples/Daybook/App")

/// The example that fetches in the background: a server of recorded weather and an app.
let weather: [Target] = [
  .target(
    name: "WeatherServer",
    dependencies: [
      "HTTPPreparation", logging, nioCore, serviceLifecycle, unixSignals,
      .product(name: "Hummingbird", package: "hummingbird"),
      .product(name: "HummingbirdCore", package: "hummingbird"),
      .product(name: "HTTPTypes", package: "swift-http-types"),
    ],
    path: "Examples/Weather/Server",
    resources: [
      .embedInCode("Recordings/lisbon.json"), .embedInCode("Recordings/nairobi.json"),
      .embedInCode("Recordings/oslo.json"),
    ]),
  .executableTarget(
    name: "weather-server", dependencies: ["WeatherServer", argumentParser, logging],
    path: "Examples/Weather/ServerTool"),
  .target(name: "WeatherModel", path: "Examples/Weather/Model"),
  .executableTarget(
    name: "Weather", dependencies: ["WeatherModel", "Nightjar"], path: "Examples/Weather/App"),
]

/// What the figures in docs/performance.md are made with.
let benchmarks: [Target] = [
  .executableTarget(
    name: "queue-bench", dependencies: ["NightjarWire", "Varlink", argumentParser], path: "Benchmarks/Queue"),
  .executableTarget(
    name: "files-bench", dependencies: ["Nightjar", argumentParser], path: "Benchmarks/Files"),
  .executableTarget(name: "foundation-bench", path: "Benchmarks/Foundation"),
  .executableTarget(name: "floor-bench", path: "Benchmarks/Floor"),
  .executableTarget(name: "life-app", dependencies: ["Nightjar"], path: "Benchmarks/Life"),
  .executableTarget(name: "bare-bench", path: "Benchmarks/Bare"),
]

/// What the tests drive Nightjar with; no product contains it.
let fixtures: [Target] = [
  .target(
    name: "ScriptedServer",
    dependencies: ["HTTPPreparation", "CNightjarZlib", crypto, nioCore, nioPosix, nioHTTP1, nioHTTP2, nioSSL]),
  .executableTarget(name: "scripted-server", dependencies: ["ScriptedServer"]),
  .target(
    name: "ForeignServer",
    dependencies: [
      "HTTPPreparation", "ScriptedServer", nioCore, nioPosix, nioHTTP1,
      .product(name: "NIOResumableUpload", package: "swift-nio-extras"),
      .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
      .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
      .product(name: "HTTPTypes", package: "swift-http-types"),
    ],
    path: "Tests/Fixtures/ForeignServer"),
  .target(name: "TestThreads", path: "Tests/Fixtures/TestThreads"),
  .target(name: "CTestMoves", path: "Tests/Fixtures/CTestMoves"),
  .target(name: "CTestSpawn", path: "Tests/Fixtures/CTestSpawn"),
  .target(name: "TestSpawn", dependencies: ["CTestSpawn"], path: "Tests/Fixtures/TestSpawn"),
  .target(name: "MockDevice", dependencies: ["TestSpawn"], path: "Tests/Fixtures/MockDevice"),
  .target(name: "Patience", path: "Tests/Fixtures/Patience"),
  .executableTarget(
    name: "ProbeApp", dependencies: ["Nightjar"], path: "Tests/Fixtures/ProbeApp"),
]

/// Real app code, which must compile in both language modes.
let appSources: [Target] = [
  .executableTarget(
    name: "TemplateApp", dependencies: ["Nightjar"], path: "Tests/Fixtures/TemplateApp",
    swiftSettings: [.treatAllWarnings(as: .error)]),
  .executableTarget(
    name: "ReadmeApp", dependencies: ["Nightjar"], path: "Tests/Fixtures/ReadmeApp",
    swiftSettings: [.treatAllWarnings(as: .error)]),
  .target(
    name: "SwiftFiveApp", dependencies: ["Nightjar"], path: "Tests/Fixtures/SwiftFiveApp",
    swiftSettings: [.treatAllWarnings(as: .error), .swiftLanguageMode(.v5)]),
  .target(
    name: "SwiftSixApp", dependencies: ["Nightjar"], path: "Tests/Fixtures/SwiftSixApp",
    swiftSettings: [.treatAllWarnings(as: .error), .swiftLanguageMode(.v6)]),
  .target(
    name: "AliasedApp", dependencies: ["Nightjar"], path: "Tests/Fixtures/AliasedApp",
    swiftSettings: [.treatAllWarnings(as: .error), .swiftLanguageMode(.v6)]),
  .target(
    name: "ShimmedApp", dependencies: ["BackgroundTasks", "UIKit", "UserNotifications"],
    path: "Tests/Fixtures/ShimmedApp",
    swiftSettings: [.treatAllWarnings(as: .error), .swiftLanguageMode(.v5)]),
  .target(
    name: "MainActorApp", dependencies: ["BackgroundTasks", "UIKit"], path: "Tests/Fixtures/MainActorApp",
    swiftSettings: [.treatAllWarnings(as: .error), .swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]),
]

let tests: [Target] = [
  .testTarget(name: "TidyTests"),
  .testTarget(
    name: "NightjarHabitsTests", dependencies: ["NightjarModel", "NightjarHabits", "TestThreads"]),
  .testTarget(
    name: "NightjarCoreTests", dependencies: ["NightjarModel", "NightjarHabits", "NightjarCore", "TestThreads"]),
  .testTarget(
    name: "NightjarBacktestTests",
    dependencies: [
      "NightjarBacktest", "NightjarCore", "NightjarModel", "NightjarPictures", "CNightjarZlib", "TestThreads",
    ]),
  .testTarget(name: "NightjarPicturesTests", dependencies: ["NightjarPictures"]),
  .testTarget(
    name: "NightjarSimulatorTests",
    dependencies: [
      "NightjarModel", "NightjarHabits", "NightjarCore", "NightjarSimulator", "NightjarPictures", "TestThreads",
    ]),
  .testTarget(
    name: "VarlinkTests", dependencies: ["Varlink", "varlink-certification", "TestSpawn", "TestThreads"]),
  .testTarget(
    name: "NightjarStoreTests",
    dependencies: ["NightjarModel", "NightjarHabits", "NightjarCore", "NightjarStore", grdb]),
  .testTarget(
    name: "NightjarDaemonTests",
    dependencies: [
      "NightjarModel", "NightjarCore", "NightjarDaemon", "NightjarPlatform", "NightjarTransfer", "NightjarWire",
      "Varlink", logging,
    ]),
  .testTarget(
    name: "NightjarTransferTests",
    dependencies: [
      "NightjarModel", "NightjarTransfer", "CTestMoves", "ForeignServer", "Patience", "ScriptedServer", nioCore,
      nioEmbedded, nioPosix, nioHTTP1, nioHTTP2, nioSSL,
    ]),
  .testTarget(
    name: "NightjarTestingTests", dependencies: ["NightjarTesting", "Nightjar"]),
  .testTarget(name: "NightjarTerminalTests", dependencies: ["NightjarTerminal"]),
  .testTarget(
    name: "NightjarPlatformTests",
    dependencies: ["NightjarModel", "NightjarPlatform", "CNightjarSpawn", "MockDevice", "Patience", "TestThreads"]),
  .testTarget(
    name: "NightjarHomeTests",
    dependencies: ["NightjarHome", "Patience", .product(name: "HTTPTypes", package: "swift-http-types")]),
  .testTarget(
    name: "NightjarCommandTests",
    dependencies: [
      "NightjarCommand", "NightjarClient", "NightjarPlatform", "NightjarWire", "Varlink", "Patience", "TestThreads",
    ]),
  .testTarget(
    name: "NightjarTests",
    dependencies: [
      "Nightjar", "NightjarModel", "NightjarPlatform", "NightjarWire", "Patience", "TestThreads", "Varlink", "ProbeApp",
      "TestSpawn", "ScriptedServer", "SwiftFiveApp", "SwiftSixApp", "AliasedApp", "ShimmedApp",
      "MainActorApp",
    ]),
  .testTarget(
    name: "EndToEndTests",
    dependencies: [
      "nightjard", "nightjar-cli", "nightjar-terminal", "ProbeApp", "TemplateApp", "VideoFarm", "videofarm-server",
      "Daybook", "Weather", "weather-server", "NightjarClient", "NightjarModel", "NightjarWire", "TestSpawn",
      "ForeignServer", "MockDevice", "Patience", "ScriptedServer", "Varlink",
    ]),
  .testTarget(
    name: "WeatherTests",
    dependencies: ["WeatherModel", "WeatherServer", logging]),
  .testTarget(
    name: "VideoFarmTests",
    dependencies: [
      "VideoFarmServer", "videofarm-server", "VideoFarmKit", "Patience", crypto, logging, nioCore, systemPackage,
      .product(name: "HTTPTypes", package: "swift-http-types"),
      .product(name: "HummingbirdCore", package: "hummingbird"),
      .product(name: "Subprocess", package: "swift-subprocess"),
    ]),
]

/// What libFuzzer feeds: only there for `scripts/fuzz`, which builds everything with its instruments.
let fuzzing: [Target] =
  Context.environment["NIGHTJAR_FUZZING"] == nil
  ? []
  : [
    .executableTarget(
      name: "nightjar-fuzz",
      dependencies: [
        "Nightjar", "NightjarModel", "NightjarPlatform", "NightjarTransfer", "NightjarWire", "Varlink", nioCore,
        nioEmbedded, nioHTTP1,
      ],
      path: "Tests/Fuzz/Sources")
  ]

let package = Package(
  name: "nightjar",
  products: [
    .library(name: "Nightjar", targets: ["Nightjar"]),
    .library(name: "NightjarTesting", targets: ["NightjarTesting"]),
    .library(name: "UIKit", targets: ["UIKit"]),
    .library(name: "BackgroundTasks", targets: ["BackgroundTasks"]),
    .library(name: "UserNotifications", targets: ["UserNotifications"]),
    .library(name: "Varlink", targets: ["Varlink"]),
    .executable(name: "nightjard", targets: ["nightjard"]),
    .executable(name: "nightjar", targets: ["nightjar-cli"]),
    .executable(name: "nightjar-terminal", targets: ["nightjar-terminal"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ],
  targets: pure + protocols + daemon + clients + videoFarm + [daybook] + weather + benchmarks + fixtures + appSources
    + tests + fuzzing,
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.swiftSettings == nil && target.type != .system {
  target.swiftSettings = strict
}

// The Debian package brings the libraries' sources alone, for apps to be built with: what they do not need is left out.
let missing = package.targets.filter { target in
  let folder = target.path ?? "\(target.type == .test ? "Tests" : "Sources")/\(target.name)"
  return !FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(folder)")
}
if !FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/Tests") {
  package.targets.removeAll { target in missing.contains { $0.name == target.name } }
  package.products.removeAll { ["nightjard", "nightjar", "nightjar-terminal"].contains($0.name) }
  package.dependencies = []
}
