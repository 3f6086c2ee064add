"""``tricklog dashboard``: show a warehouse in the browser."""

from __future__ import annotations

import importlib.util
import os
import re
import socket
import sys
from contextlib import suppress
from ipaddress import IPv6Address
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter
from cyclopts.validators import Number

from tricklog.ingest.cli.arguments import DEFAULT_DB, MetricsFiles, Warehouse, use_metrics
from tricklog.ingest.cli.output import UNREADABLE, UserError, own_command, remark
from tricklog.ingest.store.absent import db_option

EXAMPLES = """\
  tricklog dashboard --db club
  tricklog dashboard --db club --port 9000
  tricklog dashboard --db club --logs ~/cards/logs
  tricklog dashboard --db s3://club/tricklog"""

NEEDED: Final = ("altair", "h11", "starlette", "streamlit", "websockets")
"""The packages that only the pages need."""
_NAME: Final = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")


def dashboard(
    *,
    db: Warehouse = DEFAULT_DB,
    port: Annotated[int, Parameter(validator=Number(gte=1, lte=65535))] = 8501,
    logs: tuple[str, ...] = (),
    host_name: tuple[str, ...] = (),
    metrics: MetricsFiles = (),
) -> int:
    """Show a warehouse in the browser.

    The pages are served to this machine alone, until you press Ctrl-C.

    Args:
        port: The port to listen on.
        logs: A folder from which the page Import may load logs; give it again for each further
            one. Without it, that page takes only files dropped onto it.
        host_name: A name other than localhost under which pages may be opened, where something
            of yours leads from that name to this machine; give it again for each further one.
        metrics: A file with metrics of your own, TOML or Python, for Explorer and Definitions; give
            it again for each further one.
    """
    if lacking := packages_lacking():
        raise UserError(
            f"the dashboard needs what is not installed: {', '.join(lacking)}",
            "Run pip install 'tricklog[dashboard]'.",
        )
    from tricklog.ingest.cli.failure_state import explained_failures
    from tricklog.ingest.store.warehouse import POINTER
    from tricklog.ingest.warehouses import is_lake

    if is_lake(db):
        # Whatever keeps the lake from being read is told before there are pages.
        with explained_failures(db):
            pass
    elif Path(db).exists() and not Path(db).is_dir():
        raise UserError(f"{db} is not a folder", "Name the folder that tricklog load --db made.")
    elif not (Path(db) / POINTER).exists():
        remark(
            f"There is no warehouse in {db} yet: load hands on the page Import, or with "
            f"{own_command()} load LOGS {db_option(db)}"
        )
    use_metrics(metrics)
    command = [sys.executable, "-P", "-m", "tricklog.dashboard", "--db", db, "--port", str(port)]
    command += [f"--logs={_folder(each)}" for each in logs]
    command += [f"--host-name={_host_name(each)}" for each in host_name]
    _require_free(port)
    remark(f"The dashboard is at http://localhost:{port} (Ctrl-C ends it)")
    sys.stdout.flush()
    sys.stderr.flush()
    # On POSIX this process becomes the server: whatever ends the one, ends the other.
    os.execv(command[0], command)  # noqa: S606 - our own words


def packages_lacking() -> list[str]:
    """Return the packages that the pages need and this environment lacks."""
    return [name for name in NEEDED if importlib.util.find_spec(name) is None]


def _require_free(port: int) -> None:
    with socket.socket() as probe:
        # A port that was left a moment ago counts as free, as it does for the server.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise UserError(
                f"port {port} cannot be used: {error.strerror}",
                f"Name another one: tricklog dashboard --port {port % 65535 + 1}.",
                status=UNREADABLE,
            ) from error


def _folder(given: str) -> Path:
    with suppress(OSError, RuntimeError):
        # Links are followed once and for all.
        folder = Path(given).expanduser().resolve(strict=True)
        if given and folder.is_dir():
            return folder
    raise UserError(f"{given!r} is not a folder", "Name a folder of logs after --logs.")


def _host_name(given: str) -> str:
    """Return a name as a browser sends it, without port and brackets."""
    name = given.lower().removesuffix(".")
    try:
        return str(IPv6Address(name.removeprefix("[").removesuffix("]")))
    except ValueError:
        if _NAME.fullmatch(name):
            return name
    raise UserError(
        f"{given} is not the name of a host",
        "Write it as in cards.example, without http:// and port, and special letters as xn--.",
    )
