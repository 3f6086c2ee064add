"""``tricklog --install-completion``: completion of commands, options and words, after asking."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import App, Parameter

from tricklog.ingest.cli import INSTALL
from tricklog.ingest.cli.output import SUCCESS, UserError, err, put

Shell = Literal["bash", "zsh", "fish", "powershell"]
HELP: Final = "Set up completion of commands and options in your shell, after asking."


def register(app: App) -> None:
    """Add the option to the command line."""
    app.command(_command(app), name=INSTALL, help=HELP)


def _command(app: App) -> Callable[..., int]:
    def install(
        *, shell: Shell | None = None, yes: Annotated[bool, Parameter(negative=())] = False
    ) -> int:
        """Set up completion in your shell.

        Args:
            shell: Which shell; without it the one you are in.
            yes: Do not ask.
        """
        return _install(app, shell or _own_shell(), agreed=yes)

    return install


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
    from tricklog.ingest.cli.shell_words import with_words

    script, startup = _places(app.name[0], shell)
    says = f"writes {script}"
    if startup:
        says += f"\nadds a line to {startup}, unless it is there, that makes {shell} read it"
    put(f"Completion for {shell}:\n{says}")
    if not agreed and not _agrees():
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


def _agrees() -> bool:
    if not sys.stdin.isatty():
        raise UserError("there is no terminal to ask on", "Add --yes to agree to these changes.")
    err().print("Change this? [y/N] ", end="")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}
