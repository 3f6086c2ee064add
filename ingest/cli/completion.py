"""``tricklog --install-completion``: completion of commands, options and words, after asking."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import App, Parameter

from tricklog.ingest.cli import INSTALL
from tricklog.ingest.cli.output import SUCCESS, UserError, agrees, in_words, put
from tricklog.ingest.completing.words import OPTIONS

Shell = Literal["bash", "zsh", "fish", "powershell"]
HELP: Final = "Set up completion of commands and options in your shell, after asking."


def register(app: App) -> None:
    """Add the option to the command line."""

    @app.command(name=INSTALL, help=HELP)
    def install(
        *, shell: Shell | None = None, yes: Annotated[bool, Parameter(negative=())] = False
    ) -> int:
        """Set up completion in your shell.

        Args:
            shell: Which shell; without it the one you are in.
            yes: Do not ask.
        """
        return _install(app, shell or _own_shell(), agreed=yes)


def _own_shell() -> Shell:
    from cyclopts.completion.detect import ShellDetectionError, detect_shell

    try:
        return detect_shell()
    except ShellDetectionError as error:
        raise UserError(
            "it is not known which shell you use", "Add --shell bash, zsh, fish or powershell."
        ) from error


def _install(app: App, shell: Shell, *, agreed: bool) -> int:
    """Say what will change, ask, and do it."""
    script, startup = _places(app.name[0], shell)
    says = f"writes {script}"
    if startup:
        says += f"\nadds a line to {startup}, unless it is there, that makes {shell} read it"
    put(f"Completion for {shell}:\n{says}")
    if not agreed and not agrees("Change this?", "completion is not set up"):
        put("Nothing was changed.")
        return SUCCESS
    app.install_completion(shell=shell, output=script)
    script.write_text(with_words(script.read_text("utf-8"), shell), "utf-8")
    put("Done. It works in every shell you open from now on.")
    if shell == "zsh" and startup and "compinit" not in startup.read_text("utf-8", "replace"):
        put(
            f"{startup} does not turn completion on: add autoload -Uz compinit && compinit at its "
            "end."
        )
    return SUCCESS


def _places(program: str, shell: Shell) -> tuple[Path, Path | None]:
    """Return where the script goes, and the startup file that is changed, if there is one."""
    from cyclopts.completion.install import _detect_omz_completions_dir, powershell_profile
    from platformdirs.unix import Unix

    with in_words(RuntimeError, "Set HOME to the folder of your shell's files."):
        home = Path.home()
    # These shells look in the same folders on macOS as on Linux.
    if shell == "bash":
        folder = Unix("bash-completion").user_data_path / "completions"
        return folder / program, home / ".bashrc"
    if shell == "fish":
        return Unix("fish").user_config_path / "completions" / f"{program}.fish", None
    if shell == "powershell":
        profile = powershell_profile()
        return profile.parent / "Completions" / f"{program}.ps1", profile
    # Oh My Zsh reads a folder of its own, so that no startup file need be changed.
    own = _detect_omz_completions_dir()
    folder = own or home / ".zsh" / "completions"
    return folder / f"_cyclopts_{program}", None if own else home / ".zshrc"


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
