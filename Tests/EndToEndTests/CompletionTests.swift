import Patience
import Foundation
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// What the shells make of the completion scripts, with a daemon that has a transfer.
  @Suite struct CompletionTests {
    @Test(arguments: Shell.allCases)
    func `a shell completes commands, options and the numbers of transfers`(shell: Shell) async throws {
      try #require(shell.isInstalled, "\(shell) is missing: scripts/prepare test installs it")
      let server = try await HTTPTestServer.start()
      server.play("/film", .silence)
      try await withHome { home in
        try await home.start()
        try await home.run(["download", server.url("/film"), "--no-wait", "-o", home.folder + "/film"])
        let script = try await home.run(["--generate-completion-script", shell.rawValue])
        try Files.write(script.utf8, to: home.folder + "/_nightjar")
        try Files.write(shell.typist.utf8, to: home.folder + "/typist")

        for (typed, completed) in [("dow", "download"), ("download --passw", "--password-file"), ("why ", "1")] {
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

      /// A script that is given the completion script, a line and what is expected, and prints what the shell completes.
      var typist: String {
        switch self {
        case .bash:
          """
          source "$1"
          read -ra COMP_WORDS <<<"$2"
          [ "${2: -1}" != ' ' ] || COMP_WORDS+=("")
          COMP_LINE=$2 COMP_POINT=${#2} COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
          deed=$(complete -p nightjar | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
          "$deed" nightjar "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
          printf '%s\\n' "${COMPREPLY[@]}"
          """
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
