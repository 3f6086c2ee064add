"""The project's own promises: locks, commands, documents, the image, what a tracked file holds."""

import json
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.conftest import REPOSITORY
from tests.regenerate import architecture, tables
from tricklog import core, ingest
from tricklog.core.native import build
from tricklog.ingest.cli import make_app

RUNNING, BUILDING, COMPILING, DEVELOPING = (
    "requirements.lock",
    "requirements-build.lock",
    "requirements-compiler.lock",
    "requirements-dev.lock",
)
EVERY_LOCK = (RUNNING, BUILDING, COMPILING, DEVELOPING, "requirements-bench.lock")
PACKAGES = ("dashboard", "ingest", "replay", "schemas")

# A path of the machine that a file was written on. The names stand in brackets so that this file
# does not match itself.
MACHINE_PATH = re.compile(rb"(?<![\w.])/(?:[w]ork|[r]oot|[h]ome|[U]sers|[f]arm)/\w")
# A host of a package registry: where packages come from is for the reader's machine to say.
REGISTRY = re.compile(rb"\b(?:[p]ypi\.org|[p]ythonhosted\.org|[r]egistry\.npmjs|[d]eb\.debian)\b")


def read(name: str | Path) -> str:
    return (REPOSITORY / name).read_text("utf-8")


@cache
def settings() -> dict[str, Any]:
    return tomllib.loads(read("pyproject.toml"))


def run(
    *command: str | Path, status: int = 0, cwd: Path = REPOSITORY, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command, which has to end with a status."""
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    return done


def found(pattern: str, text: str) -> list[str]:
    return re.findall(pattern, text, flags=re.MULTILINE)


def modules(*folders: str) -> dict[str, str]:
    """The text of each module below folders, by its place."""
    paths = [path for folder in folders for path in (REPOSITORY / folder).rglob("*.py")]
    return {path.relative_to(REPOSITORY).as_posix(): path.read_text("utf-8") for path in paths}


# --- Locks
def logical_lines(lock: str) -> list[str]:
    """The requirements of a lock, each with its hashes on one line, without comments."""
    joined = read(lock).replace("\\\n", " ")
    return [line for line in joined.splitlines() if line and not line.lstrip().startswith("#")]


def pins(lock: str) -> dict[str, Version]:
    """What a lock pins for this Python: the version of each package, by its canonical name."""
    pinned: dict[str, Version] = {}
    for line in logical_lines(lock):
        requirement = Requirement(line.partition(" --hash=")[0].strip())
        if requirement.marker and not requirement.marker.evaluate():
            continue
        (specifier,) = requirement.specifier
        assert specifier.operator == "=="
        name = canonicalize_name(requirement.name)
        assert name not in pinned, f"{name} is pinned twice"
        pinned[name] = Version(specifier.version)
    return pinned


def stated() -> list[Requirement]:
    """What runs Tricklog, with its pages."""
    project = settings()["project"]
    pages = project["optional-dependencies"]["dashboard"]
    return [*map(Requirement, (*project["dependencies"], *pages))]


def grouped(*groups: str) -> Iterator[Requirement]:
    """The requirements of groups and the groups they include."""
    waiting = [*groups]
    while waiting:
        for entry in settings()["dependency-groups"][waiting.pop()]:
            if isinstance(entry, str):
                yield Requirement(entry)
            else:
                waiting.append(entry["include-group"])


@pytest.mark.parametrize("name", EVERY_LOCK)
def test_a_lock_is_only_exact_pins_with_hashes_and_names_no_index_host_or_path(name: str) -> None:
    lines = logical_lines(name)
    assert lines
    pin = r"[a-z0-9-]+==[\w.]+( ; [^#@]+?)?( +--hash=sha256:[0-9a-f]{64})+ *"
    assert not [line[:80] for line in lines if not re.fullmatch(pin, line)]
    text = read(name).replace("./dev lock", "")
    assert not re.search(r"/|--index|--extra|--find-links|--trusted|@", text)


@pytest.mark.parametrize(
    ("name", "groups"),
    [(RUNNING, ()), (BUILDING, ("build",)), (COMPILING, ("compiler",)), (DEVELOPING, ("dev",))],
)
def test_stated_dependencies_are_pinned_in_range(name: str, groups: tuple[str, ...]) -> None:
    pinned = pins(name)
    running = stated() if name in (RUNNING, DEVELOPING) else ()
    for requirement in (*running, *grouped(*groups)):
        version = pinned.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement.name} is not in {name}: run ./dev lock"
        assert version in requirement.specifier, f"{name} pins {requirement.name} {version}"


def test_each_lock_holds_those_below_it_and_that_for_running_no_tools() -> None:
    running, building, developing = map(pins, (RUNNING, BUILDING, DEVELOPING))
    assert running.items() | building.items() <= developing.items()
    tools = {canonicalize_name(each.name) for each in grouped("dev", "fuzz")}
    # Streamlit brings the first two itself, and the rules are imported to be compiled.
    both = {"altair", "packaging", "msgspec", "numpy"}
    assert tools & running.keys() <= both
    assert building.keys() & running.keys() <= both


def test_every_dependency_has_an_upper_bound_and_is_imported() -> None:
    groups = settings()["dependency-groups"]
    for requirement in (*stated(), *grouped(*groups)):
        assert {each.operator for each in requirement.specifier} == {">=", "<"}, requirement
    texts = modules(*PACKAGES).values()
    for requirement in stated():
        module = requirement.name.replace("-", "_")
        used = re.compile(rf"^\s*(?:import|from) {module}\b", flags=re.MULTILINE)
        assert any(map(used.search, texts)), requirement.name
    # The build needs nothing that is not locked.
    assert settings()["build-system"]["requires"] == groups["build"]
    assert groups["compiler"] == [build.ZIG]


# --- Commands and guides
def commands_of_dev() -> set[str]:
    return set(found(r"^  (\w+)\b", run(REPOSITORY / "dev", "help").stdout))


def test_the_readme_starts_with_two_commands_and_has_no_link_of_the_checkout_in_an_index() -> None:
    told = run(sys.executable, "-m", "hatchling", "metadata", "readme").stdout
    shown = json.loads(told)["text"] if told.startswith("{") else told
    assert "./dev demo" in shown
    assert "I have a notebook goes on" in shown
    links = re.findall(r"\]\(([^)]*)\)", shown)
    assert all(link.startswith("https://") for link in links), links
    blocks = re.findall(r"```(?:sh|bash|console)?\n(.*?)```", read("README.md"), flags=re.DOTALL)
    commands = [line for block in blocks for line in block.splitlines() if "./dev" in line]
    assert [each.split("#")[0].strip(" $") for each in commands[:2]] == ["./dev demo", "./dev test"]


def test_the_guides_name_every_dev_command_and_no_other() -> None:
    known = commands_of_dev()
    assert {"demo", "test", "check"} <= known
    pages = {name: read(name) for name in ("README.md", "CONTRIBUTING.md")}
    pages |= {str(path): read(path) for path in sorted((REPOSITORY / "docs").rglob("*.md"))}
    for name, text in pages.items():
        assert set(re.findall(r"\./dev (\w+)", text)) <= known, name
    named = [each for each in known - {"help"} if f"./dev {each}" not in pages["CONTRIBUTING.md"]]
    assert named == []


def test_what_is_added_often_touches_four_files_by_hand() -> None:
    for thing in ("An option", "A finding", "A metric"):
        _, _, after = read("CONTRIBUTING.md").partition(f"**{thing}**")
        by_hand, written, _ = after.partition("\nWritten: ")
        assert written, thing
        assert len(found(r"^\d\. `(\S+)`", by_hand)) == len(found(r"^\d\.", by_hand)) == 4, thing


@pytest.mark.parametrize("script", ["dev", ".ci/run"])
def test_scripts_are_executable_and_parse(script: str) -> None:
    assert (REPOSITORY / script).stat().st_mode & 0o111
    run("bash", "-n", script)


def test_a_usage_error_of_dev_and_the_one_list_of_checks(tmp_path: Path) -> None:
    told = run(REPOSITORY / "dev", "nonsense", status=2, cwd=tmp_path)
    assert told.stderr.startswith("Usage: ./dev")
    script = read(".ci/run")
    assert re.search(r"^env --default-signal=INT \./dev check\n\Z", script, flags=re.MULTILINE)


# --- Systems and versions
def test_the_classifiers_name_linux_alone_and_pythons_tried() -> None:
    classifiers = settings()["project"]["classifiers"]
    claimed = found(r"^Programming Language :: Python :: (3\.\d+)$", "\n".join(classifiers))
    assert claimed == ["3.11", "3.12", "3.13"], "only those that were really tried"
    tried = found(r"^readonly pythons=\((.+)\)$", read("dev"))[0].split()
    assert tried == [*claimed, "3.14"]
    systems = [each for each in classifiers if "Operating System" in each]
    assert systems == ["Operating System :: POSIX :: Linux"]
    for path, text in modules(*PACKAGES, "tests").items():
        of_windows = re.search(r"\b(?:[w]in32|[m]svcrt|[L]OCALAPPDATA)\b", text)
        assert of_windows is None, f"{path}: {of_windows}"


@pytest.mark.posix
def test_dev_pythons_says_which_are_not_found(tmp_path: Path) -> None:
    broken = tmp_path / "python3.12"
    broken.write_text("#!/bin/sh\nexit 127\n", "utf-8")
    broken.chmod(0o755)
    for tool in ("bash", "dirname", "env"):
        place = shutil.which(tool)
        assert place is not None
        (tmp_path / tool).symlink_to(place)
    told = run(REPOSITORY / "dev", "pythons", status=1, env={"PATH": str(tmp_path)})
    assert "not on the path: 3.11 3.12 3.13 3.14" in told.stderr


def test_tests_that_need_posix_are_marked() -> None:
    needs = re.compile(
        r"\bTerminal\(|tests\.kit\.kills|\bsignal\.SIG|os\.mkfifo|os\.fork|fcntl\.|\.symlink_to\("
        r"|\.chmod\("
    )
    for path, text in modules("tests").items():
        if Path(path).name.startswith("test_"):
            assert not needs.search(text) or "pytest.mark.posix" in text, path


# --- Packages and documents
def test_packages_are_typed_and_no_module_beside_the_dashboard_shadows_one() -> None:
    for package in PACKAGES:
        assert (REPOSITORY / package / "py.typed").is_file()
        assert (REPOSITORY / package / "__init__.py").is_file()
    # A page's script puts its own folder first among the places where imports are looked up.
    assert "tricklog" not in {Path(path).stem for path in modules("dashboard")}


def test_the_changelog_has_version_and_next_and_no_heading_twice_in_a_version() -> None:
    changelog = read("CHANGELOG.md")
    headings = found(r"^## (.+)$", changelog)
    assert headings, "the changelog has no section"
    version = settings()["project"]["version"]
    assert any("unreleased" in each.lower() or version in each for each in headings)
    for part in re.split(r"^## ", changelog, flags=re.MULTILINE):
        headings = found(r"^### (.+)$", part)
        assert len(headings) == len(set(headings)), sorted(headings)


DECISIONS = REPOSITORY / "docs" / "decisions"


def test_each_decision_stands_on_one_page_that_the_index_names() -> None:
    index, past = read(DECISIONS / "README.md"), read(DECISIONS / "past" / "README.md")
    there = []
    for page in sorted(DECISIONS.rglob("[0-9]*.md")):
        title, _, below = page.read_text("utf-8").splitlines()[:3]
        number, place = int(page.name[:4]), page.relative_to(DECISIONS).as_posix()
        assert title.startswith(f"# {number}. "), f"{place}:1: begin with '# {number}. '"
        if page.parent == DECISIONS:
            line = f"- [{title.partition('. ')[2]}]({place})"
            assert line in index, f"docs/decisions/README.md: say '{line}'"
        else:
            assert below.startswith("**Overruled** by ["), f"{place}:3: say by what"
            assert f"[{number}]({page.name})" in past, f"past/README.md: name {number}"
        merged = below.partition(";")[0] if below.startswith("Decisions ") else page.name[:4]
        for each in map(int, re.findall(r"\d+", merged)):
            there.append(each)
            assert f"[{each}]({place})" in index, f"docs/decisions/README.md: {each} is in {place}"
    for number, each in enumerate(sorted(there), start=1):
        assert number == each, f"{min(number, each)} stands on no page, or on two"


def test_decisions_are_few_and_short() -> None:
    words = {
        page.name: sum(any(map(str.isalnum, word)) for word in read(page).split())
        for page in DECISIONS.glob("*.md")
    }
    assert len(words) <= 1 + 40, "write what is new on the page of its subject"
    long = [name for name in words if words[name] > 400 and name != "README.md"]
    assert not long, f"{long}: 400 words at most, what was tried and what follows"
    assert sum(words.values()) <= 14_000, "14,000 words at most, all pages together"


def test_temporary_folders_have_one_maker() -> None:
    """Of what it makes nothing stays behind, whenever a run is killed; there may be hands in it."""
    maker = r"^\s*(?:import|from) tempfile\b|\bmkdtemp\b"
    makers = {path for path, text in modules(*PACKAGES, "tricklog").items() if found(maker, text)}
    # The rules are compiled where nothing of ingest is imported, and no hand is.
    assert makers == {"ingest/reading/scratch.py", "replay/native/build.py"}


# --- What may stand in a tracked file
def test_a_tracked_file_holds_no_path_of_a_machine_no_registry_and_no_secret() -> None:
    if not (REPOSITORY / ".git").exists():
        pytest.skip("not a git checkout")
    names = run("git", "ls-files", "-z").stdout.split("\0")
    # A file that is deleted and not yet committed is listed too, and so is a link to a folder.
    for name in (name for name in names if name and (REPOSITORY / name).is_file()):
        path = REPOSITORY / name
        content = path.read_bytes()
        for number, line in enumerate(content.splitlines(), start=1):
            wrong = MACHINE_PATH.search(line) or REGISTRY.search(line)
            assert wrong is None, f"{name}:{number}: {wrong}"
        assert path.suffix not in {".pem", ".key", ".duckdb", ".pyc", ".whl"}, name
        assert path.name != ".env", name
        if path.suffix in {".py", ".md", ".toml", ".sql", ".json", ".js", ".css"}:
            assert b"\r" not in content, name
            assert content.endswith(b"\n") or not content, name


@pytest.mark.parametrize("folder", ["work", "root", "home", "Users"])
def test_a_path_of_a_machine_is_recognised(folder: str) -> None:
    assert MACHINE_PATH.search(f"open('/{folder}/me/hand.jsonl')".encode())
    assert not MACHINE_PATH.search(f"docs/{folder}/hand.md".encode())


@pytest.mark.slow("every module of tests is imported")
def test_every_test_of_the_long_tier_can_be_collected() -> None:
    # One that cannot, as with an id that stands twice, keeps the whole tier from running.
    options = "--thorough --collect-only -qq -p no:cacheprovider -p no:xdist"
    own = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    run(sys.executable, "-m", "pytest", *options.split(), env=own)


# --- The architecture
def test_the_picture_is_up_to_date_and_no_arrow_has_another_back() -> None:
    assert architecture.PICTURE.read_text("utf-8") == architecture.picture(), "./dev regenerate"
    assert len(architecture.PARTS) <= 10
    uses = architecture.uses()
    assert len(uses) > 20
    assert not {(there, here) for here, there in uses} & uses
    assert {part for pair in architecture.drawn(uses) for part in pair} == {*architecture.PARTS}


def test_every_place_that_the_page_names_is_there() -> None:
    page = read("docs/architecture.md")
    named = re.findall(r"`((?:dashboard|ingest|replay|schemas)/[^`]*)`", page)
    gone = [each for each in named if not [*REPOSITORY.glob(each.replace("NAME", "*"))]]
    assert len(named) > 30
    assert gone == []
    functions = re.findall(r"`([\w/]+\.py)`(?:,|:) ((?:`\w+`(?:, )?)+)", page)
    for file, names in functions:
        assert all(f"def {name}(" in read(file) for name in re.findall(r"`(\w+)`", names)), file
    assert len(functions) > 10


def test_no_room_hides_a_function_of_the_same_name() -> None:
    for package in (ingest, core):
        rooms = {module.name for module in pkgutil.iter_modules(package.__path__)}
        assert rooms
        assert not rooms & set(package.__all__)


def test_the_pictures_of_tables_show_their_keys_and_are_up_to_date() -> None:
    for name in tables.PICTURES:
        assert tables.file_of(name).read_text("utf-8") == tables.picture(name), "./dev regenerate"
    lines = tables.lines_of(tables.PICTURES["tables"])
    assert ("hands", "game", "games", "game") in lines
    assert ("calls", "hand_id", "hands", "hand_id") in lines


# --- The image and the example of a server say what the program and the locks say
@pytest.fixture(scope="module")
def services() -> dict[str, dict[str, Any]]:
    services: dict[str, dict[str, Any]] = yaml.safe_load(read("container/compose.yaml"))["services"]
    return services


@pytest.mark.parametrize("name", ["follow", "dashboard", "audit"])
def test_a_service_calls_a_real_command(services: dict[str, dict[str, Any]], name: str) -> None:
    service = services[name]
    words = [*service.get("entrypoint", ["tricklog"]), *service["command"]]
    named = {"TRICKLOG_NAME": "cards.example.org"}
    program, *filled = (
        re.sub(r"\$\{(\w+)[^}]*\}", lambda it: named[it[1]], word) for word in words
    )
    assert program == "tricklog"
    command, bound, _ = make_app().parse_args(filled, exit_on_error=False)
    assert command.__name__ in {"load", "dashboard", "audit"}
    assert bound.arguments


def test_no_service_has_rights_or_is_reached(services: dict[str, dict[str, Any]]) -> None:
    for name, service in services.items():
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        if name != "proxy":
            assert service["user"] == "10001:10001"
            assert "cap_add" not in service
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert services["dashboard"]["network_mode"] == "service:proxy"
    proxy = read("container/Caddyfile")
    assert proxy.index("basic_auth") < proxy.index("reverse_proxy 127.0.0.1:8501")


def test_the_image_is_given_what_the_wheel_is_made_of() -> None:
    kept = set(found(r"^!(.+)$", read("container/Containerfile.dockerignore")))
    packed = set(settings()["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"])
    links = [each for each in (REPOSITORY / "tricklog").iterdir() if each.is_symlink()]
    assert packed | {each.resolve().name for each in links} < kept
    assert all((REPOSITORY / each).exists() for each in kept)


def test_the_image_brings_its_own_library_and_nothing_is_built_when_it_runs() -> None:
    made, image = read("container/Containerfile").split("FROM ${PYTHON}\n")
    assert "--require-hashes --requirement requirements.lock" in made
    assert "--requirement requirements-compiler.lock" in made
    assert "hatchling build" in made
    assert not re.search("hatchling|pip ", image)
    assert "USER 10001:10001" in image
