import ArgumentParser
import FoundationEssentials
import Glibc
import NightjarModel

/// The name and password for servers that require them.
///
/// The password is sent to the host of the URL and to no other. It goes to the daemon over its socket and stays in its
/// database, which only its user can read, until a minute after the transfer is removed; no list, no `why` and no log
/// shows it.
struct CredentialOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The name for a server that wants one (Basic or Digest). Its password is asked for on the terminal, unseen.",
      valueName: "name"))
  var user: String?

  @Option(
    name: .customLong("password-file"),
    help: ArgumentHelp(
      "Take the password from a file's first line instead; '-' is the standard input.", valueName: "path"),
    completion: .file())
  var passwordFile: String?

  /// - Throws: `ValidationError` for options that contradict each other. A password among the arguments is overwritten
  ///   first.
  func check() throws {
    guard let user else {
      guard passwordFile == nil else { throw ValidationError("--password-file needs --user with the name.") }
      return
    }
    if let given { ProgramArguments.strikeOut(given) }
    guard !name.isEmpty else { throw ValidationError("--user needs a name before the colon.") }
    guard passwordFile != "" else { throw ValidationError("--password-file is empty; name a file, or leave it out.") }
    guard user.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) else {
      throw ValidationError("The name for --user holds a control character.")
    }
    guard given == nil || passwordFile == nil else {
      throw ValidationError("--user has a password already; leave it or --password-file out.")
    }
  }

  /// The URLs to pass to the daemon, with name and password if given.
  ///
  /// - Throws: `CommandError` if no password can be read, or a URL already contains one.
  func apply(to urls: [String], in context: Context) throws(CommandError) -> [String] {
    guard user != nil else { return urls }
    if let url = urls.first(where: { $0 != $0.withoutCredentials }) {
      throw CommandError(.usage, "\(url.withoutCredentials) carries a name already; leave it or --user out.")
    }
    let password = try password(in: context)
    let credentials = "\(Self.escaped(name)):\(Self.escaped(password))@"
    return urls.map { $0.addingCredentials(credentials) }
  }

  /// Name and password from the arguments.
  private var parts: [Substring] {
    user?.split(ascii: ":", maxSplits: 1, omittingEmptySubsequences: false) ?? []
  }

  private var name: String { parts.first.map(String.init) ?? "" }

  /// The password from the arguments.
  private var given: String? { parts.count == 2 ? String(parts[1]) : nil }

  private func password(in context: Context) throws(CommandError) -> String {
    if let given { return given }
    if let passwordFile { return try Self.firstLine(of: passwordFile, in: context) }
    _ = try context.home  // Without one nothing need be typed.
    switch context.surroundings.password("Password of \(DisplayText(name)): ") {
    case .typed(let password): return password
    case .interrupted: throw CommandError(.interrupted, "Interrupted; nothing was queued.")
    case .noTerminal:
      throw CommandError(.usage, "There is no terminal to ask for the password; give it with --password-file.")
    }
  }

  private static func firstLine(of path: String, in context: Context) throws(CommandError) -> String {
    let isInput = path == "-"
    let name = isInput ? "The standard input" : path
    let file = isInput ? STDIN_FILENO : open(try context.surroundings.absolute(path), O_RDONLY | O_CLOEXEC)
    defer { if !isInput { close(file) } }
    guard file >= 0, let line = readLine(from: file) else {
      throw CommandError(.usage, "\(name) cannot be read: \(String(cString: strerror(errno))).")
    }
    guard !line.isEmpty else {
      throw CommandError(.usage, "\(name) has nothing in its first line, where the password stands.")
    }
    guard line.count <= lineBytesMax else {
      throw CommandError(.usage, "\(name) has more than \(lineBytesMax) bytes in its first line.")
    }
    guard let text = String(validating: line, as: UTF8.self) else {
      throw CommandError(.usage, "\(name) is not UTF-8 in its first line.")
    }
    return text
  }

  private static let lineBytesMax = 4096

  /// Reads a line byte by byte, so that nothing after it is taken from a pipe. One that is too long breaks off one byte
  /// later. Nil, and `errno` says why, if it cannot be read.
  private static func readLine(from file: Int32) -> [UInt8]? {
    var (line, byte) = ([UInt8](), UInt8(0))
    while line.count <= lineBytesMax {
      let count = read(file, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count == 1, byte != UInt8(ascii: "\n") else {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line
      }
      line.append(byte)
    }
    return line
  }

  /// Percent-encodes all but the unreserved characters (RFC 3986, section 2.3).
  private static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}

extension String {
  /// A URL with a name and a password before its host.
  fileprivate func addingCredentials(_ credentials: String) -> String {
    guard let authority else { return self }
    return String(self[..<authority.lowerBound]) + credentials + String(self[authority.lowerBound...])
  }
}
