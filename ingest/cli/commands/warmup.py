"""``tricklog warmup``: compile the rules ahead of need."""

from __future__ import annotations

import time

from ingest.cli.output import SUCCESS, UNREADABLE, Flag, UserError, out, print_json

_HOW = {
    "ready": "the rules were compiled already",
    "copied": "has the compiled rules now, as another node has them",
    "compiled": "the rules are compiled now",
    "none": "cannot keep compiled rules, each process compiles them: make the folder for what "
    "programs can make again writable, or name another one in XDG_CACHE_HOME",
}

EXAMPLES = """\
  tricklog warmup                        once after installing, or in an image
  tricklog warmup --json
  tricklog warmup --on ray               on every node of a cluster"""


def warmup(*, on: str | None = None, json: Flag = False) -> int:
    """Compile the rules ahead of need.

    Large logs are loaded with compiled rules. The first load of one has them compiled in the
    background, which takes a core about 40 seconds; this does it now, and compiles the solver of
    hands with open cards as well, which takes twice as long. They are kept for the user and
    compiled again only for another version of Tricklog or Python.

    Args:
        on: A cluster, ray or ray://HOST:10001: have them on every node, compiled once for all that
            are alike.
        json: One JSON object: folder, seconds, compiled (false: they were ready already). Of a
            cluster: seconds, and nodes, each with node and how (ready, copied, compiled, none).
    """
    return _on_this_machine(json=json) if on is None else _on_cluster(on, json=json)


def _on_this_machine(*, json: bool) -> int:
    from ingest.cli.progress import ProgressLine
    from ingest.reading.progress import Progress, Stage
    from replay.compiled import build, kernel

    folder = kernel.build_folder()
    ready = kernel.is_ready() and kernel.solver_is_ready() and kernel.study_is_ready()
    seconds = 0.0
    if not ready:
        try:
            with ProgressLine("Warming up") as line:
                line.report(Progress(Stage.COMPILING))
                seconds = build.build() + build.build_solver() + build.build_study()
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


def _on_cluster(on: str, *, json: bool) -> int:
    from ingest.cli.progress import ProgressLine
    from ingest.lake.engines import EngineError, is_cluster
    from ingest.reading.progress import Progress, Stage

    if not is_cluster(on):
        raise UserError(f"{on} is no cluster", "Give ray, ray://HOST:PORT or HOST:PORT.")
    began = time.monotonic()
    try:
        from ingest.lake.on_ray import on_cluster

        with ProgressLine("Warming up") as line, on_cluster(on, is_warm=False) as cluster:
            line.report(Progress(Stage.COMPILING))
            nodes = cluster.warm_up()
    except EngineError as error:
        raise UserError(str(error), status=UNREADABLE) from error
    if json:
        listed = [{"node": each.node, "how": each.how} for each in nodes]
        print_json({"seconds": round(time.monotonic() - began, 1), "nodes": listed})
        return SUCCESS
    for each in nodes:
        out().print(f"{each.node}: {_HOW[each.how]}", soft_wrap=True)
    return SUCCESS
