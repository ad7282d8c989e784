import FoundationEssentials
import Glibc
import NightjarPlatform

/// How a bundle is made, and where.
struct BundleRecipe: Sendable {
  /// The product; the bundle has its name.
  let product: String
  /// The folder that the product was built into.
  let programs: String
  /// A folder whose contents go into the bundle, `Info.plist` among them; nil if there is none.
  let files: String?
  /// The identifier of an app that brings no `Info.plist`.
  let identifier: String
  /// The folder that the bundle is put into.
  let output: String

  /// Makes the bundle, checks it, and puts it in its place in one step; an earlier one is replaced, and nothing else.
  ///
  /// - Returns: The bundle, and whether its `Info.plist` was generated.
  /// - Throws: `CommandError`, naming what is wrong; what stood in the bundle's place is unchanged then.
  func make() throws(CommandError) -> (bundle: AppBundle, isPlistMadeUp: Bool) {
    do throws(PlatformError) {
      let draft = try FolderDraft(for: "\(output)/\(product).app")
      if let files { try draft.copyContents(of: files) }
      let isPlistMadeUp = !draft.has("Info.plist")
      if isPlistMadeUp { try draft.write(InfoPlist(name: product, identifier: identifier).text, to: "Info.plist") }
      try draft.copy("\(programs)/\(product)", as: product)
      for resources in resources { try draft.copy("\(programs)/\(resources)", as: resources) }
      try draft.checkBundle()
      try draft.settleAsBundle()
      return (try AppBundle(at: draft.place), isPlistMadeUp)
    } catch {
      throw CommandError(making: "\(product).app", in: output, error)
    }
  }

  /// The resource bundles (`Package_Target.resources`) of the targets that the product was linked from. If the build
  /// leaves no list of them, all that were built.
  private var resources: [String] {
    let all = ((try? FileManager.default.contentsOfDirectory(atPath: programs)) ?? []).sorted()
      .filter { $0.hasSuffix(".resources") }
    let list = FileManager.default.contents(atPath: "\(programs)/\(product).product/Objects.LinkFileList")
    guard let list else { return all }
    let linked = Set(
      String(decoding: list, as: UTF8.self).split(separator: "/").filter { $0.hasSuffix(".build") }
        .map { $0.dropLast(".build".count) })
    return all.filter { name in
      linked.contains { target in name.hasSuffix("_\(target).resources") }
    }
  }
}

extension CommandError {
  /// Why a bundle was not made: something else has its name, or what went wrong.
  init(making name: String, in folder: String, _ error: PlatformError) {
    self =
      error.meansExists
      ? CommandError(
        .refused,
        "\(folder)/\(name) is no bundle that can be read, and nothing else is ever replaced; move it away, or choose "
          + "another folder with --output.")
      : CommandError(.failed, "\(name) cannot be made: \(error.detail).")
  }
}

extension FolderDraft {
  /// Reads the draft as the daemon will read the bundle. Errors name the bundle's final path.
  func checkBundle() throws(PlatformError) {
    do throws(PlatformError) { _ = try AppBundle(at: path) } catch {
      throw PlatformError(error.code, error.detail.replacing(path, with: place))
    }
  }

  /// Puts the bundle in its place. An earlier bundle may stand there, as a folder and not as a link to one.
  ///
  /// - Throws: `system`, with `EEXIST` if something else stands there; then it is untouched.
  func settleAsBundle() throws(PlatformError) {
    var status = stat()
    let isFolder = lstat(place, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    try settle(replaces: isFolder && (try? AppBundle(at: place)) != nil)
  }
}
