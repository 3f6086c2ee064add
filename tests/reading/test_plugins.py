"""Adapters of other packages: found by their entry points, and harmless when they are no good."""

import tomllib
from pathlib import Path

import pytest

from tests.kit.plugins import GOOD, installed_from, put_package
from tricklog.ingest import adapters
from tricklog.ingest.adapters import registry
from tricklog.ingest.adapters.registry import UnknownAdapterError, adapter_named, installed, listed


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    folder = tmp_path / "packages"
    folder.mkdir()
    return folder


def trouble_of(name: str, package: str | None = None) -> str:
    (found,) = [each for each in listed() if each.name == name and package in (None, each.package)]
    assert (found.adapter is None) == bool(found.trouble)
    return found.trouble


def test_our_own_adapters_come_in_by_the_same_door(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    named = project["entry-points"]["tricklog.adapters"]
    assert list(adapters.ADAPTERS) == sorted(named)
    for each in listed():
        assert each.package == "tricklog"
        assert each.trouble == ""
        assert each.adapter is not None
        assert each.adapter.contract == adapters.CONTRACT


def test_an_adapter_of_another_package_is_found(packages: Path) -> None:
    source = GOOD.format(name="our-club", contract=1)
    put_package(packages, "club_package", source, our_club="club_package:ADAPTER")
    with installed_from(packages):
        assert list(installed()) == sorted(installed())
        assert adapter_named("our-club").program == "Tables"
        (found,) = [each for each in listed() if each.name == "our-club"]
        assert (found.package, found.version) == ("club_package", "1.2")
        assert registry.package_of(adapter_named("our-club")) == "club_package 1.2"
    assert "our-club" not in installed()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import a_module_that_is_not_there", "cannot be imported from bad_package:ADAPTER"),
        ("raise SystemExit('I quit')", "SystemExit: I quit"),
        ("1 / 0", "ZeroDivisionError"),
        ("OTHER = 1", "AttributeError"),
        ("ADAPTER = 'rlcard-29'", "a value of type str"),
        (GOOD.format(name="bad", contract=7), "version 7 of the contract"),
        (GOOD.format(name="bad", contract=7), "Upgrade Tricklog"),
        (GOOD.format(name="bad", contract=0), "Install a later version of the package"),
        (GOOD.format(name="good", contract=1), "calls itself 'good'"),
        (
            GOOD.format(name="bad", contract=1).replace("Line, ", "msgspec.Struct, "),
            "no required field",
        ),
        (GOOD.format(name="bad", contract=1).replace("Line, ", "int, "), "cannot be imported"),
        (GOOD.format(name="bad", contract=1).replace("base.convert", "None"), "is no function"),
        (
            GOOD.format(name="bad", contract=1).replace("contract=1", "contract=1, group_by='x'"),
            "is no tricklog.adapters.GroupBy",
        ),
    ],
)
def test_one_that_cannot_be_used_is_named_and_does_no_harm(
    packages: Path, source: str, said: str
) -> None:
    put_package(packages, "bad_package", source, bad="bad_package:ADAPTER")
    with installed_from(packages):
        assert said in trouble_of("bad")
        assert set(installed()) == {each.name for each in listed() if each.package == "tricklog"}
        with pytest.raises(UnknownAdapterError, match=r"bad of bad_package 1\.2 cannot be used"):
            adapters.convert("bad", "nowhere")


def test_a_name_no_adapter_can_have_is_refused(packages: Path) -> None:
    source = GOOD.format(name="Our:Club", contract=1)
    put_package(packages, "bad_package", source, **{"Our:Club": "bad_package:ADAPTER"})
    with installed_from(packages):
        (found,) = [each for each in listed() if each.package == "bad_package"]
        assert found.trouble


def test_two_packages_with_one_name_are_both_refused_and_both_named(packages: Path) -> None:
    for package in ("club_a", "club_b"):
        source = GOOD.format(name="our-club", contract=1)
        put_package(packages, package, source, our_club=f"{package}:ADAPTER")
    with installed_from(packages):
        for package in ("club_a", "club_b"):
            said = trouble_of("our-club", package)
            assert "club_a 1.2" in said
            assert "club_b 1.2" in said
        assert "our-club" not in installed()


def test_the_name_of_one_of_ours_cannot_be_taken(packages: Path) -> None:
    source = GOOD.format(name="rlcard-29", contract=1)
    put_package(packages, "club_a", source, rlcard_29="club_a:ADAPTER")
    with installed_from(packages):
        assert "tricklog" in trouble_of("rlcard-29", "club_a")
        assert trouble_of("rlcard-29", "tricklog") == ""
        assert installed()["rlcard-29"].program.startswith("Twenty-Nine")
