"""Which adapters there are: those that installed packages name as entry points, ours among them.

A package names its adapters in the group ``tricklog.adapters``. One that cannot be used is listed
with the reason and does no harm to the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, EntryPoint, PackageNotFoundError, entry_points, version
from pathlib import Path
from typing import Any, Final

from tricklog.ingest.adapters.contract import CONTRACT, Adapter, GroupBy
from tricklog.ingest.reading.entry_points import ADAPTERS
from tricklog.ingest.reading.rejects import sentence

OWN: Final = "tricklog"
"""The package with the adapters that come with Tricklog."""
NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""What an adapter may be called."""
_SAID: Final = re.compile(r'^([\w-]+) = "([^"]*)"', re.MULTILINE)
_CHECKOUT: Final = Path(__file__).parents[3] / "pyproject.toml"


@dataclass(frozen=True, slots=True)
class Listed:
    """An adapter that a package names: the adapter itself, or why it cannot be used."""

    name: str
    package: str
    version: str
    """Version of the package."""
    adapter: Adapter | None
    trouble: str = ""
    """A sentence; empty when there is none."""


@dataclass(frozen=True, slots=True)
class _Named:
    """An entry point, and the package it is of."""

    point: EntryPoint
    package: str
    version: str


class UnknownAdapterError(ValueError):
    """No adapter of this name can be used; the message says why, or lists those there are."""


@cache
def listed() -> tuple[Listed, ...]:
    """Return every adapter that installed packages name, by name; of one name, ours first."""
    by_name: dict[str, list[_Named]] = {}
    for each in _named():
        by_name.setdefault(each.point.name, []).append(each)
    ours_first = (
        sorted(by_name[name], key=lambda each: (each.package != OWN, each.package))
        for name in sorted(by_name)
    )
    return tuple(found for claims in ours_first for found in _opened_all(claims))


@cache
def installed() -> dict[str, Adapter]:
    """Return the adapters that can be used, by the name that ``--from`` takes."""
    return {each.name: each.adapter for each in listed() if each.adapter is not None}


def adapter_named(name: str) -> Adapter:
    """Return an adapter. Raises ``UnknownAdapterError`` when none of this name can be used."""
    adapter = installed().get(name)
    if adapter is not None:
        return adapter
    for each in listed():
        if each.name == name:
            raise UnknownAdapterError(
                f"the adapter {name} of {each.package} {each.version} cannot be used: "
                f"{each.trouble}"
            )
    from tricklog.core.rulesets.suggestions import did_you_mean

    near = did_you_mean(name, installed())
    raise UnknownAdapterError(
        f"there is no adapter {name!r}{near}; choose {', '.join(installed())}"
    )


def _named() -> Iterator[_Named]:
    """Return the entry points of all packages, each once."""
    own = _of_checkout()
    seen: set[tuple[str, str, str]] = set()
    for point in entry_points(group=ADAPTERS):
        package, number = _package(point.dist) if point.dist else ("an unknown package", "")
        told = (point.name, point.value, package)
        if told in seen or (own and package == OWN):
            continue
        seen.add(told)
        yield _Named(point, package, number)
    yield from own


@cache
def _package(dist: Distribution) -> tuple[str, str]:
    """Return name and version of a package, whose description is read for them."""
    known = dist.metadata
    return known["Name"], known["Version"]


def _of_checkout() -> list[_Named]:
    """Return what a checkout says of our own adapters, nothing when this is no checkout.

    What is installed from one knows only what it said when it was installed, and a checkout need
    not be installed at all.
    """
    if not _CHECKOUT.is_file():
        return []
    # The file is ours; to read all of TOML takes as long as to import the adapters.
    text = _CHECKOUT.read_text("utf-8")
    said = dict(_SAID.findall(text.partition("[project]")[2].partition("\n[")[0]))
    if said.get("name") != OWN:
        return []
    try:
        number = version(OWN)
    except PackageNotFoundError:
        number = said["version"]
    named = text.partition(f'[project.entry-points."{ADAPTERS}"]')[2].partition("\n[")[0]
    return [
        _Named(EntryPoint(name, value, ADAPTERS), OWN, number)
        for name, value in _SAID.findall(named)
    ]


def _opened_all(claims: list[_Named]) -> Iterator[Listed]:
    """Return what becomes of the adapters that several packages call by one name.

    The one that comes with Tricklog stays; of others, none is better than the other.
    """
    first, *others = claims
    if not others or first.package == OWN:
        yield _opened(first)
    else:
        yield _refused(first, others)
    for each in others:
        yield _refused(each, (other for other in claims if other is not each))


def _refused(claim: _Named, others: Iterable[_Named]) -> Listed:
    packages = " and ".join(f"{each.package} {each.version}".strip() for each in others)
    own = f"{claim.package} {claim.version}".strip()
    trouble = (
        f"Two packages have an adapter of this name: {own} and {packages}. Uninstall one of them, "
        "or have it renamed."
    )
    return Listed(claim.point.name, claim.package, claim.version, None, trouble)


def _opened(claim: _Named) -> Listed:
    name, package, number = claim.point.name, claim.package, claim.version
    try:
        found = claim.point.load()
        trouble = _trouble_of(found, name)
    # No package of others may end the program, whatever it does when it is imported.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        said = f"{type(error).__name__}: {error}".rstrip(": .")
        trouble = sentence(
            f"It cannot be imported from {claim.point.value} ({said}). Install {package} again, or "
            "ask whoever makes it."
        )
    if trouble:
        return Listed(name, package, number, None, trouble)
    assert isinstance(found, Adapter)
    return Listed(name, package, number, found)


def _trouble_of(found: object, name: str) -> str:
    """Return why what an entry point leads to is no adapter of this version, empty if it is one."""
    if not isinstance(found, Adapter):
        return (
            f"Its entry point leads to a value of type {type(found).__name__}, not to a "
            "tricklog.adapters.Adapter."
        )
    if found.contract != CONTRACT:
        is_older = str(found.contract) < str(CONTRACT)
        do = "Install a later version of the package" if is_older else "Upgrade Tricklog"
        return (
            f"It is written for version {found.contract} of the contract, and this Tricklog has "
            f"version {CONTRACT}. {do}."
        )
    if found.name != name:
        return f"It calls itself {found.name!r}, and its package calls it {name!r}."
    if not NAME.fullmatch(name):
        return f"{name!r} is not a name of small letters, digits and single hyphens."
    return _trouble_inside(found)


def _trouble_inside(found: Any) -> str:  # noqa: ANN401 - a package of others fills it in
    if found.group_by is not None and not isinstance(found.group_by, GroupBy):
        return "Its group_by is no tricklog.adapters.GroupBy."
    if not callable(found.convert):
        return "Its convert is no function."
    # It raises for what is no struct of msgspec.
    return "" if found.fields else "Its shape has no required field, so nothing is known by it."
