import Patience
import Foundation
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// What the shells make of the completion scripts, with a daemon that has a transfer.
  @Suite struct CompletionTests {
    @Test(arguments: Shell.allCases)
    func `a shell completes commands, options, folders, conditions and transfers`(shell: Shell) async throws {
      try #require(shell.isInstalled, "\(shell) is missing: scripts/prepare test installs it")
      let server = try await HTTPTestServer.start()
      server.play("/film", .silence)
      try await withHome { home in
        try await home.start()
        try await home.run(["download", server.url("/film"), "--no-wait", "-o", home.folder + "/film"])
        let script = try await home.run(["--generate-completion-script", shell.rawValue])
        try Files.write(script.utf8, to: home.folder + "/_nightjar")
        try Files.write(shell.typist.utf8, to: home.folder + "/typist")

        let completions = [
          ("dow", "download"), ("download --passw", "--password-file"), ("--home /us", "/usr/"), ("why ", "1"),
          ("device set netw", "network="), ("device set network=ce", "network=cellular"),
        ]
        for (typed, completed) in completions {
          let text = try await shown(after: "nightjar " + typed, in: shell, expecting: completed, home)
          #expect(text.contains(completed), "after '\(typed)' \(shell) shows: \(text)")
        }
      }
      try await server.stop()
    }

    /// What the shell shows for a line and a tab.
    private func shown(after line: String, in shell: Shell, expecting words: String, _ home: Home) async throws
      -> String
    {
      let path = "\(Home.programs):/usr/bin:/bin"
      let typing = try Spawned(
        ["/usr/bin/" + shell.rawValue] + shell.flags + [
          home.folder + "/typist", home.folder + "/_nightjar", line, words,
        ],
        environment: ["HOME": home.folder, "PATH": path, "NIGHTJAR_HOME": home.path, "TERM": "dumb"],
        output: home.folder + "/shown-\(UUID().uuidString)")
      _ = try await typing.ended()
      return typing.text
    }

    enum Shell: String, CaseIterable, CustomStringConvertible {
      case bash, zsh, fish

      var description: String { rawValue }
      var isInstalled: Bool { access("/usr/bin/" + rawValue, X_OK) == 0 }

      var flags: [String] {
        switch self {
        case .bash: ["--norc"]
        case .zsh: ["-f"]
        case .fish: ["--no-config"]
        }
      }

      /// A script that is given the completion script, a line and what is expected, and prints what the shell
      /// completes.
      var typist: String {
        switch self {
        case .bash:
          // An interactive bash reads keys from a pipe, too: the line, a tab, one that prints what the line has become,
          // and one that empties it. In a session of its own it leaves the terminal of who runs the tests alone.
          #"""
          {
            printf '%s\n' "source '$1'" 'bind -x '\''"\C-g": printf "%s\n" "$READLINE_LINE" >&3'\'
            printf '%s\t\a\025' "$2"
          } | setsid --wait bash --norc -i 3>&1 >/dev/null 2>&1
          """#
        case .fish: "source $argv[1]; complete -C $argv[2]"
        case .zsh:
          """
          zmodload zsh/zpty
          zpty shell "zsh -f -i"
          zpty -w shell "PS1=READY; fpath=(${1:h} \\$fpath); autoload -Uz compinit && compinit -u -D; echo LOADED"
          zpty -r -m shell seen '*LOADED*LOADED*READY*'
          zpty -w -n shell "$2"$'\\t'
          zpty -r -m shell seen "*${3##*--}*" && print -r -- "$seen"
          zpty -d shell
          """
        }
      }
    }
  }
}
