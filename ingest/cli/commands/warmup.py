"""``tricklog warmup``: compile the rules ahead of need."""

from __future__ import annotations

from ingest.cli.output import SUCCESS, UNREADABLE, Flag, UserError, out, print_json

EXAMPLES = """\
  tricklog warmup                        once after installing, or in an image
  tricklog warmup --json"""


def warmup(*, json: Flag = False) -> int:
    """Compile the rules ahead of need.

    Large logs are loaded with compiled rules. The first load of one has them compiled in the
    background, which takes a core about 40 seconds; this does it now. They are kept for the user
    and compiled again only for another version of Tricklog or Python.

    Args:
        json: One JSON object: folder, seconds, compiled (false: they were ready already).
    """
    from ingest.cli.progress import ProgressLine
    from ingest.reading.progress import Progress, Stage
    from replay.compiled import build, kernel

    folder = kernel.build_folder()
    ready = kernel.is_ready()
    seconds = 0.0
    if not ready:
        try:
            with ProgressLine("Warming up") as line:
                line.report(Progress(Stage.COMPILING))
                seconds = build.build()
        except OSError as error:
            raise UserError(
                f"compiled rules cannot be kept in {folder}: {error.strerror or error}",
                "Make room or make it writable, or name another folder in XDG_CACHE_HOME. tricklog "
                "load works without it, only slower.",
                status=UNREADABLE,
            ) from error
    if json:
        done = {"folder": str(folder), "seconds": round(seconds, 1), "compiled": not ready}
        print_json(done)
    elif ready:
        out().print(f"The rules were compiled already: {folder}", soft_wrap=True)
    else:
        out().print(f"The rules are compiled, in {seconds:.0f} s: {folder}", soft_wrap=True)
    return SUCCESS
