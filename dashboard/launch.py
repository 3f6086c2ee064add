"""Starting the dashboard: the command line of its server, and the warehouse it shows."""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

DATABASE_SETTING: Final = "TRICKLOG_DB"
DEFAULT_DATABASE: Final = "tricklog-data"
DEFAULT_PORT: Final = 8501

_ENTRY: Final = Path(__file__).with_name("app.py")

# On the command line these win over whatever a user's own settings say.
_SETTINGS: Final = {
    "server.address": "localhost",
    "server.headless": "true",
    "server.fileWatcherType": "none",
    # Megabytes of one file. Whatever is larger is loaded from its folder.
    "server.maxUploadSize": "200",
    "browser.gatherUsageStats": "false",
    "client.showErrorDetails": "none",
    "client.showErrorLinks": "false",
    # Else a page would show every text that stands alone in its source.
    "runner.magicEnabled": "false",
    "client.toolbarMode": "minimal",
    # A name that begins with "=" would be a formula in the file it is saved to.
    "client.disableDataExport": "true",
}


def command(db: str | Path, port: int = DEFAULT_PORT) -> list[str]:
    """Return the command that serves the warehouse in the folder ``db`` on this machine alone."""
    settings = [f"--{name}={value}" for name, value in _SETTINGS.items()]
    return [
        *(sys.executable, "-m", "streamlit", "run", str(_ENTRY)),
        *(f"--server.port={port}", *settings),
        *("--", "--db", str(db)),
    ]


def database(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the warehouse to show.

    ``--db`` among ``arguments`` goes before the variable ``TRICKLOG_DB``; without either it is
    ``tricklog-data`` where the server was started.
    """
    parser = argparse.ArgumentParser(allow_abbrev=False, add_help=False)
    parser.add_argument("--db", default=environment.get(DATABASE_SETTING) or DEFAULT_DATABASE)
    return Path(parser.parse_known_args(arguments)[0].db)


@cache
def spare_the_collector() -> None:
    """Keep what is loaded by now, the modules above all, out of all later garbage collections.

    Streamlit collects after each run of a page, and the last parts of the page are sent after that.
    """
    gc.collect()
    gc.freeze()
    # What is frozen is never freed, not even at the end, and DuckDB would report it as leaked.
    atexit.register(gc.unfreeze)
