"""``tricklog dashboard``: show a warehouse in the browser."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from ingest.cli.load import DEFAULT_DB, Warehouse
from ingest.cli.output import UserError, err

EXAMPLES = """\
  tricklog dashboard --db club
  tricklog dashboard --db club --port 9000"""


def dashboard(
    *,
    db: Warehouse = DEFAULT_DB,
    port: Annotated[int, Parameter(validator=Number(gte=1, lte=65535))] = 8501,
) -> int:
    """Show a warehouse in the browser.

    The pages are served to this machine alone, until you press Ctrl-C.

    Args:
        db: The folder of the warehouse.
        port: The port to listen on.
    """
    import subprocess

    if Path(db).exists() and not Path(db).is_dir():
        raise UserError(f"{db} is not a folder", "Name the folder that tricklog load --db made.")
    # The dashboard is a layer above this one: it is started as a program and never imported here.
    command = import_module("dashboard.launch").command(db, port)
    err().print(f"The dashboard is at http://localhost:{port} (Ctrl-C ends it)")
    return subprocess.run(command, check=False).returncode  # noqa: S603 - our own words
