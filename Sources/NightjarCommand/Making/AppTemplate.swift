/// The app that `nightjar new` makes: a SwiftPM package that downloads files in the background.
struct AppTemplate: Hashable, Sendable {
  let name: NewAppName
  let identifier: String
  let sources: NightjarSources

  /// The files, by their paths in the package.
  var files: [String: String] {
    [
      "Package.swift": manifest, "Bundle/Info.plist": information,
      "Sources/\(name.text)/AppDelegate.swift": Self.appDelegate,
      "Sources/\(name.text)/Downloads.swift": Self.downloads,
      "Sources/\(name.text)/DownloadList.swift": Self.downloadList,
      "Sources/\(name.text)/Origins.swift": Self.origins,
      "Sources/\(name.text)/Refresh.swift": Self.refresh,
      "README.md": readme, ".gitignore": ".build/\n",
    ]
  }

  private var information: String {
    InfoPlist(name: name.text, identifier: identifier, modes: ["fetch"]).text
  }

  private var manifest: String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "\(name.text)",
      dependencies: [
        \(sources.dependency)
      ],
      targets: [
        .executableTarget(
          name: "\(name.text)",
          dependencies: [.product(name: "Nightjar", package: "\(sources.packageName)")])
      ]
    )

    """
  }

  private var readme: String {
    """
    # \(name.text)

    An app for Nightjar, which gives Linux programs the multitasking model of iOS. It downloads what
    it is told to. The downloads go on while the app does not run, and it is told of them when it runs again.

        nightjar run -- https://example.com/index.html

    builds it, makes `\(name.text).app`, installs and launches it, and shows what it says. Ctrl-C leaves it running. End it
    in the middle of a download and see it come back:

        nightjar run -- https://example.com/something-large
        nightjar terminate \(identifier)      # in another terminal; the download goes on
        nightjar log -f \(identifier)

    Once you have used it for some days it looks for newer files shortly before you come (background fetch); to see it now:

        nightjar fetch now \(identifier)

    - `Sources/\(name.text)/AppDelegate.swift`: where the app's life begins.
    - `Sources/\(name.text)/Downloads.swift`: its background session.
    - `Sources/\(name.text)/Refresh.swift`: its background fetch, and the notification that tells of it.
    - `Sources/\(name.text)/DownloadList.swift`: what it shows on the home screen.
    - `Bundle/`: what goes into `\(name.text).app` beside the program. Change the identifier in `Info.plist`
      before you give the app to anybody; icons and other files go here too.
    - `Package.swift` names where Nightjar's sources are, `\(sources.text)`.

    To run it where Swift is not installed: `nightjar bundle -c release --static-swift-stdlib`, and take the folder along.

    """
  }
}
