/// What is added to the completion scripts that ArgumentParser writes.
enum CompletionScript {
  /// Completes the script if it is one for bash. Any other text stays as it is.
  static func completed(_ text: String) -> String { text.hasPrefix("#!/bin/bash\n") ? text + "\n" + bash : text }

  /// Replaces two parts of the script, since a later definition counts in bash.
  private static let bash = #"""

    # `=` ends a word in bash. What stands before it is part of what is looked for, and not of what is inserted.
    __nightjar_add_completions() {
        local before='' completion
        if [[ "${1}" != -W ]]; then
            compopt -o filenames
        elif [[ "${COMP_WORDS[COMP_CWORD]}" = '=' ]]; then
            before="${COMP_WORDS[COMP_CWORD - 1]}="
        elif [[ "${prev}" = '=' ]]; then
            before="${COMP_WORDS[COMP_CWORD - 2]}="
        fi
        while IFS='' read -r completion; do
            COMPREPLY+=("${completion#"${before}"}")
        done < <(IFS=$'\n' compgen "${@}" -- "${before}${cur}")
    }

    # Only what names files is quoted as such: a word keeps its `=`, and gets no `/` from a folder of its name.
    complete -F _nightjar nightjar
    """#
}
