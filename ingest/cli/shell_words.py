"""What completion in a shell has besides: it asks ``tricklog.ingest.completing`` for words.

The script that the library for command lines makes knows commands and options. Each of these puts a
question before it: words of ours come first, and where there are none everything is as it was.
"""

from __future__ import annotations

import shlex
import sys
from typing import Final

from tricklog.ingest.completing.words import OPTIONS

_BASH: Final = r"""
_tricklog_words() {
  local line=${COMP_LINE:0:COMP_POINT} current cut each
  local -a words found
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  mapfile -t found < <(ASK "${words[@]:1}" 2>/dev/null)
  if (( ${#found[@]} == 0 )); then
    _tricklog "$@"
    return
  fi
  # Only what follows the last break of a word is put in its place.
  current=${words[-1]}
  cut=${current%"${current##*[=:]}"}
  COMPREPLY=()
  for each in "${found[@]}"; do
    printf -v each '%q' "${each#"$cut"}"
    COMPREPLY+=("${each/%\\=/=}")
  done
  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}

complete -o nosort -o default -F _tricklog_words tricklog
"""
_ZSH: Final = r"""
_tricklog_words() {
  local -a found
  found=("${(@f)$(ASK "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  found=(${found:#})
  (( ${#found} )) || return 1
  compadd -S '' -- ${(M)found:#*=}
  compadd -- ${found:#*=}
}

_cyclopts_tricklog() {
  _tricklog_words || _tricklog_options "$@"
}

_cyclopts_tricklog "$@"
"""
_FISH: Final = r"""
function __tricklog_words
    set -l words (commandline -opc) (commandline -ct)
    ASK $words[2..-1] 2>/dev/null
end
"""


def with_words(script: str, shell: str) -> str:
    """Return the script of a shell with our words in it; one of another shell as it is."""
    ask = shlex.join([sys.executable, "-P", "-m", "tricklog.ingest.completing"])
    if shell == "bash":
        return script + _BASH.replace("ASK", ask)
    if shell == "zsh":
        # The file is read as the body of its function, which calls what stands in it at the end.
        own = script.replace("_cyclopts_tricklog()", "_tricklog_options()")
        return own + _ZSH.replace("ASK", ask)
    if shell == "fish":
        return script + _FISH.replace("ASK", ask) + _fish_places()
    return script


def _fish_places() -> str:
    options = "".join(
        f"complete -c tricklog -l {option[2:]} -x -a '(__tricklog_words)'\n" for option in OPTIONS
    )
    commands = "".join(
        f"complete -c tricklog -n '__fish_tricklog_using_command {name}' -f "
        "-a '(__tricklog_words)'\n"
        for name in ("rules", "stats")
    )
    return options + commands
