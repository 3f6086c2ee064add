"""The image and the example of a server: they say what the program and the locks say."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from tricklog.ingest.cli import make_app

PLACE = "container"
NAMED = {"TRICKLOG_NAME": "cards.example.org"}


@pytest.fixture(scope="module")
def services(repository: Path) -> dict[str, dict[str, Any]]:
    text = (repository / PLACE / "compose.yaml").read_text("utf-8")
    found: dict[str, dict[str, Any]] = yaml.safe_load(text)["services"]
    return found


@pytest.fixture(scope="module")
def recipe(repository: Path) -> str:
    return (repository / PLACE / "Containerfile").read_text("utf-8")


def arguments(service: dict[str, Any]) -> list[str]:
    words = [*service.get("entrypoint", ["tricklog"]), *service["command"]]
    filled = [re.sub(r"\$\{(\w+)[^}]*\}", lambda name: NAMED[name[1]], word) for word in words]
    assert filled[0] == "tricklog"
    return filled[1:]


@pytest.mark.parametrize("name", ["follow", "dashboard", "audit"])
def test_a_service_calls_a_real_command(services: dict[str, dict[str, Any]], name: str) -> None:
    command, bound, _ = make_app().parse_args(arguments(services[name]), exit_on_error=False)
    assert command.__name__ in {"load", "dashboard", "audit"}
    assert bound.arguments


def test_no_service_may_write_or_has_rights(services: dict[str, dict[str, Any]]) -> None:
    for name, service in services.items():
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        if name != "proxy":
            assert service["user"] == "10001:10001"
            assert "cap_add" not in service


def test_nobody_gets_to_the_dashboard_but_by_the_proxy(
    services: dict[str, dict[str, Any]], repository: Path
) -> None:
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert services["dashboard"]["network_mode"] == "service:proxy"
    proxy = (repository / PLACE / "Caddyfile").read_text("utf-8")
    assert proxy.index("basic_auth") < proxy.index("reverse_proxy 127.0.0.1:8501")


def test_the_image_is_given_what_the_wheel_is_made_of(repository: Path) -> None:
    text = (repository / PLACE / "Containerfile.dockerignore").read_text("utf-8")
    kept = {line.removeprefix("!") for line in text.splitlines() if line.startswith("!")}
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))
    packed = set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"])
    links = [each for each in (repository / "tricklog").iterdir() if each.is_symlink()]
    assert packed | {each.resolve().name for each in links} < kept
    assert all((repository / each).exists() for each in kept)


def test_the_image_brings_its_own_library_and_nothing_is_built_when_it_runs(recipe: str) -> None:
    build, image = recipe.split("FROM ${PYTHON}\n")
    assert "--require-hashes --requirement requirements.lock" in build
    assert "--requirement requirements-compiler.lock" in build
    assert "hatchling build" in build
    assert not re.search("hatchling|pip ", image)
    assert "USER 10001:10001" in image
