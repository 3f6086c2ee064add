"""Which files of this machine Import may read: those below the folders named at the start."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tricklog.ingest.reading.sources import find_sources
from tricklog.schemas.languages.messages import either, say


class RefusedPathError(Exception):
    """A path that is not loaded; the sentence says why."""


def allowed_path(given: str, folders: Sequence[Path]) -> Path:
    """Return where the file or folder ``given`` is, links followed.

    Args:
        given: A path as typed; one that is not absolute is looked up in each of the folders.
        folders: Folders that may be read, links followed.

    Raises:
        RefusedPathError: The path, or a log in it, lies outside the folders, or does not exist. Of
            a path outside it is not said whether it exists.
    """
    inside = [path for each in folders if (path := _below(each, given, folders))]
    found = next((path for path in inside if path.exists()), None)
    if found is None:
        places = either([*folders], commas=False)
        if inside:
            raise RefusedPathError(
                say(
                    "There is no file or folder {given} below {places}.", given=given, places=places
                )
            )
        raise RefusedPathError(
            say(
                "{given} is not below {places}, and nothing else is read. Name its folder when you "
                "start the dashboard: tricklog dashboard --logs FOLDER.",
                given=given,
                places=places,
            )
        )
    for source in find_sources([found]):
        if source.path is not None and _is_outside(source.path, folders):
            raise RefusedPathError(
                say(
                    "{link} is a link that leads out of the folders that may be read. Remove "
                    "the link, or name its folder too when you start the dashboard.",
                    link=source.name,
                )
            )
    return found


def _below(folder: Path, given: str, folders: Sequence[Path]) -> Path | None:
    try:
        path = (folder / Path(given).expanduser()).resolve()
        path.exists()
    except (OSError, RuntimeError, ValueError):
        # Links in a circle, a user there is not, a name that no file can have.
        return None
    return None if _is_outside(path, folders) else path


def _is_outside(path: Path, folders: Sequence[Path]) -> bool:
    try:
        real = path.resolve()
    except (OSError, RuntimeError):
        return True
    return not any(real.is_relative_to(each) for each in folders)
