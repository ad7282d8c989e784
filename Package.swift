// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// What every Swift target of ours is compiled with.
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
  .target(name: "NightjarPictures", swiftSettings: strict),
  .target(name: "NightjarModel", swiftSettings: strict),
  .target(name: "NightjarHabits", dependencies: ["NightjarModel"], swiftSettings: strict),
  .target(name: "NightjarCore", dependencies: ["NightjarModel", "NightjarHabits"], swiftSettings: strict),
  .target(
    name: "NightjarSimulator", dependencies: ["NightjarModel", "NightjarHabits", "NightjarCore", "NightjarPictures"],
    swiftSettings: strict),
  .executableTarget(
    name: "nightjar-soak", dependencies: ["NightjarSimulator", "NightjarModel", "NightjarHabits", "NightjarCore"],
    swiftSettings: strict),
]

/// What the daemon's clients speak.
let protocols: [Target] = [
  .target(name: "CVarlinkLinux"),
  .target(name: "Varlink", dependencies: ["CVarlinkLinux"], swiftSettings: strict),
  .executableTarget(name: "varlink-certification", dependencies: ["Varlink"], swiftSettings: strict),
  .target(
    name: "NightjarWire", dependencies: ["NightjarModel", "Varlink"],
    resources: [
      .embedInCode("Interfaces/dev.nightjar.App.varlink"), .embedInCode("Interfaces/dev.nightjar.Control.varlink"),
    ],
    swiftSettings: strict),
]

/// The daemon and its thin rooms.
let daemon: [Target] = [
  .target(name: "CNightjarFiles"),
  .systemLibrary(name: "CNightjarZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
  .target(name: "CNightjarBus"),
  .target(name: "CNightjarSpawn"),
  .target(
    name: "NightjarStore",
    dependencies: ["NightjarModel", "NightjarCore", grdb, .product(name: "GRDBSQLite", package: "GRDB.swift")],
    swiftSettings: strict),
  .target(name: "HTTPPreparation", dependencies: [nioCore, nioHTTP1], swiftSettings: strict),
  .target(
    name: "NightjarTransfer",
    dependencies: [
      "NightjarModel", "HTTPPreparation", "CNightjarFiles", "CNightjarZlib", crypto, logging, nioCore, nioPosix,
      nioHTTP1, nioHTTP2, nioSSL, nioTLS,
    ],
    swiftSettings: strict),
  .target(
    name: "NightjarBacktest",
    dependencies: ["NightjarModel", "NightjarHabits", "NightjarCore", "NightjarPictures", "CNightjarZlib"],
    swiftSettings: strict),
  .target(
    name: "NightjarPlatform", dependencies: ["NightjarModel", "CNightjarBus", "CNightjarSpawn"], swiftSettings: strict),
  .target(
    name: "NightjarDaemon",
    dependencies: [
      "NightjarModel", "NightjarCore", "NightjarStore", "NightjarTransfer", "NightjarPlatform", "NightjarWire",
      "Varlink", logging, nioCore, nioPosix, serviceLifecycle,
    ],
    swiftSettings: strict),
  .executableTarget(
    name: "nightjard",
    dependencies: [
      "NightjarDaemon", "NightjarCore", "NightjarModel", "NightjarPlatform", argumentParser, logging, serviceLifecycle,
      systemPackage,
      unixSignals, .product(name: "Configuration", package: "swift-configuration"),
    ],
    swiftSettings: strict),
]

/// What people and apps use.
let clients: [Target] = [
  .target(name: "NightjarClient", dependencies: ["NightjarModel", "NightjarWire", "Varlink"], swiftSettings: strict),
  .target(
    name: "NightjarHome",
    dependencies: [
      "HTTPPreparation", "NightjarClient", "NightjarWire", logging, nioCore,
      .product(name: "HTTPTypes", package: "swift-http-types"),
      .product(name: "Hummingbird", package: "hummingbird"),
      .product(name: "HummingbirdCore", package: "hummingbird"),
    ],
    resources: [
      .embedInCode("Page/home.html"), .embedInCode("Page/home.css"), .embedInCode("Page/home.js"),
      .embedInCode("Page/fetches.js"), .embedInCode("Page/view.html"),
    ],
    swiftSettings: strict),
  .target(
    name: "NightjarCommand",
    dependencies: [
      "NightjarBacktest", "NightjarClient", "NightjarHome", "NightjarModel", "NightjarPictures", "NightjarPlatform",
      "NightjarSimulator", "NightjarWire", argumentParser,
    ],
    swiftSettings: strict),
  .executableTarget(name: "nightjar-cli", dependencies: ["NightjarCommand"], swiftSettings: strict),
  .target(name: "Nightjar", dependencies: ["NightjarModel", "NightjarWire", "Varlink"], swiftSettings: strict),
  .target(
    name: "NightjarTesting",
    dependencies: [
      "Nightjar", "NightjarSimulator", "NightjarPictures", "NightjarCore", "NightjarModel", "NightjarWire",
    ],
    swiftSettings: strict),
  .target(name: "UIKit", dependencies: ["Nightjar"], swiftSettings: strict),
  .target(name: "BackgroundTasks", dependencies: ["Nightjar"], swiftSettings: strict),
  .target(name: "NightjarTerminal", swiftSettings: strict),
  .executableTarget(
    name: "nightjar-terminal", dependencies: ["Nightjar", "NightjarTerminal"], swiftSettings: strict),
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
    path: "Examples/VideoFarm/Server", swiftSettings: strict),
  .executableTarget(
    name: "videofarm-server", dependencies: ["VideoFarmServer", argumentParser, logging],
    path: "Examples/VideoFarm/ServerTool", swiftSettings: strict),
  .target(
    name: "VideoFarmKit", dependencies: ["Nightjar", crypto], path: "Examples/VideoFarm/Kit", swiftSettings: strict),
  .executableTarget(
    name: "VideoFarm", dependencies: ["VideoFarmKit", "Nightjar"], path: "Examples/VideoFarm/App",
    swiftSettings: strict),
  .executableTarget(
    name: "nightjar-demo",
    dependencies: [
      "CNightjarSpawn", "NightjarClient", "NightjarModel", "NightjarPlatform", "NightjarWire", argumentParser, crypto,
      grdb,
    ],
    path: "Examples/Demo", swiftSettings: strict),
]

/// The example with a view.
let daybook = Target.executableTarget(
  name: "Daybook", dependencies: ["Nightjar"], path: "Examples/Daybook/App", swiftSettings: strict)

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
    ],
    swiftSettings: strict),
  .executableTarget(
    name: "weather-server", dependencies: ["WeatherServer", argumentParser, logging],
    path: "Examples/Weather/ServerTool", swiftSettings: strict),
  .target(name: "WeatherModel", path: "Examples/Weather/Model", swiftSettings: strict),
  .executableTarget(
    name: "Weather", dependencies: ["WeatherModel", "Nightjar"], path: "Examples/Weather/App", swiftSettings: strict),
]

/// What the figures in docs/performance.md are made with.
let benchmarks: [Target] = [
  .executableTarget(
    name: "queue-bench", dependencies: ["NightjarWire", "Varlink", argumentParser], path: "Benchmarks/Queue",
    swiftSettings: strict),
  .executableTarget(
    name: "files-bench", dependencies: ["Nightjar", argumentParser], path: "Benchmarks/Files", swiftSettings: strict),
  .executableTarget(name: "foundation-bench", path: "Benchmarks/Foundation", swiftSettings: strict),
  .executableTarget(name: "life-app", dependencies: ["Nightjar"], path: "Benchmarks/Life", swiftSettings: strict),
  .executableTarget(name: "bare-bench", path: "Benchmarks/Bare", swiftSettings: strict),
]

/// What the tests drive Nightjar with; no product contains it.
let fixtures: [Target] = [
  .target(
    name: "ScriptedServer",
    dependencies: ["HTTPPreparation", "CNightjarZlib", crypto, nioCore, nioPosix, nioHTTP1, nioHTTP2, nioSSL],
    swiftSettings: strict),
  .executableTarget(name: "scripted-server", dependencies: ["ScriptedServer"], swiftSettings: strict),
  .target(
    name: "ForeignServer",
    dependencies: [
      "HTTPPreparation", "ScriptedServer", nioCore, nioPosix, nioHTTP1,
      .product(name: "NIOResumableUpload", package: "swift-nio-extras"),
      .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
      .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
      .product(name: "HTTPTypes", package: "swift-http-types"),
    ],
    path: "Tests/Fixtures/ForeignServer", swiftSettings: strict),
  .target(name: "TestThreads", path: "Tests/Fixtures/TestThreads", swiftSettings: strict),
  .target(name: "CTestSpawn", path: "Tests/Fixtures/CTestSpawn"),
  .target(name: "MockDevice", dependencies: ["CTestSpawn"], path: "Tests/Fixtures/MockDevice", swiftSettings: strict),
  .target(name: "Patience", path: "Tests/Fixtures/Patience", swiftSettings: strict),
  .executableTarget(
    name: "ProbeApp", dependencies: ["Nightjar"], path: "Tests/Fixtures/ProbeApp", swiftSettings: strict),
]

/// Real app code, which must compile in both language modes.
let appSources: [Target] = [
  .executableTarget(
    name: "TemplateApp", dependencies: ["Nightjar"], path: "Tests/Fixtures/TemplateApp",
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
    name: "ShimmedApp", dependencies: ["BackgroundTasks", "UIKit"], path: "Tests/Fixtures/ShimmedApp",
    swiftSettings: [.treatAllWarnings(as: .error), .swiftLanguageMode(.v5)]),
]

let tests: [Target] = [
  .testTarget(name: "TidyTests", swiftSettings: strict),
  .testTarget(
    name: "NightjarHabitsTests", dependencies: ["NightjarModel", "NightjarHabits", "TestThreads"], swiftSettings: strict
  ),
  .testTarget(
    name: "NightjarCoreTests", dependencies: ["NightjarModel", "NightjarHabits", "NightjarCore", "TestThreads"],
    swiftSettings: strict),
  .testTarget(
    name: "NightjarBacktestTests",
    dependencies: [
      "NightjarBacktest", "NightjarCore", "NightjarModel", "NightjarPictures", "CNightjarZlib", "TestThreads",
    ],
    swiftSettings: strict),
  .testTarget(name: "NightjarPicturesTests", dependencies: ["NightjarPictures"], swiftSettings: strict),
  .testTarget(
    name: "NightjarSimulatorTests",
    dependencies: ["NightjarModel", "NightjarCore", "NightjarSimulator", "NightjarPictures", "TestThreads"],
    swiftSettings: strict),
  .testTarget(
    name: "VarlinkTests", dependencies: ["Varlink", "varlink-certification", "CTestSpawn", "TestThreads"],
    swiftSettings: strict),
  .testTarget(
    name: "NightjarStoreTests",
    dependencies: ["NightjarModel", "NightjarHabits", "NightjarCore", "NightjarStore", grdb],
    swiftSettings: strict),
  .testTarget(
    name: "NightjarTransferTests",
    dependencies: [
      "NightjarModel", "NightjarTransfer", "ForeignServer", "ScriptedServer", nioCore, nioPosix, nioHTTP1, nioHTTP2,
      nioSSL,
    ],
    swiftSettings: strict),
  .testTarget(
    name: "NightjarTestingTests", dependencies: ["NightjarTesting", "Nightjar"], swiftSettings: strict),
  .testTarget(name: "NightjarTerminalTests", dependencies: ["NightjarTerminal"], swiftSettings: strict),
  .testTarget(
    name: "NightjarPlatformTests",
    dependencies: ["NightjarModel", "NightjarPlatform", "CNightjarSpawn", "MockDevice", "TestThreads"],
    swiftSettings: strict),
  .testTarget(
    name: "NightjarHomeTests",
    dependencies: ["NightjarHome", .product(name: "HTTPTypes", package: "swift-http-types")], swiftSettings: strict),
  .testTarget(
    name: "NightjarCommandTests",
    dependencies: ["NightjarCommand", "NightjarClient", "NightjarWire", "Varlink", "TestThreads"],
    swiftSettings: strict),
  .testTarget(
    name: "NightjarTests",
    dependencies: [
      "Nightjar", "NightjarModel", "NightjarPlatform", "NightjarWire", "Patience", "TestThreads", "Varlink", "ProbeApp",
      "CTestSpawn", "ScriptedServer", "SwiftFiveApp", "SwiftSixApp", "AliasedApp", "ShimmedApp",
    ],
    swiftSettings: strict),
  .testTarget(
    name: "EndToEndTests",
    dependencies: [
      "nightjard", "nightjar-cli", "nightjar-terminal", "ProbeApp", "TemplateApp", "VideoFarm", "videofarm-server",
      "Weather", "weather-server", "NightjarClient", "NightjarModel", "NightjarWire", "CTestSpawn", "ForeignServer",
      "MockDevice", "Patience", "ScriptedServer", "Varlink",
    ],
    swiftSettings: strict),
  .testTarget(
    name: "WeatherTests",
    dependencies: ["WeatherModel", "WeatherServer", logging], swiftSettings: strict),
  .testTarget(
    name: "VideoFarmTests",
    dependencies: [
      "VideoFarmServer", "videofarm-server", "VideoFarmKit", crypto, logging, nioCore, systemPackage,
      .product(name: "Subprocess", package: "swift-subprocess"),
    ],
    swiftSettings: strict),
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
        nioHTTP1,
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ],
      path: "Tests/Fuzz/Sources", swiftSettings: strict)
  ]

let package = Package(
  name: "nightjar",
  products: [
    .library(name: "Nightjar", targets: ["Nightjar"]),
    .library(name: "NightjarTesting", targets: ["NightjarTesting"]),
    .library(name: "UIKit", targets: ["UIKit"]),
    .library(name: "BackgroundTasks", targets: ["BackgroundTasks"]),
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
    + tests
    + fuzzing,
  swiftLanguageModes: [.v6]
)

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
