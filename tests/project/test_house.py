"""The project's own promises: locks, commands, documents and what may stand in a tracked file."""

import json
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.regenerate import architecture, tables
from tricklog import core, ingest
from tricklog.core.native import build

RUNNING, BUILDING, COMPILING, DEVELOPING = (
    "requirements.lock",
    "requirements-build.lock",
    "requirements-compiler.lock",
    "requirements-dev.lock",
)
EVERY_LOCK = (RUNNING, BUILDING, COMPILING, DEVELOPING, "requirements-bench.lock")
PACKAGES = ("dashboard", "ingest", "replay", "schemas")
GUIDES = ("README.md", "CONTRIBUTING.md")

# A path of the machine that a file was written on. The names stand in brackets so that this file
# does not match itself.
MACHINE_PATH = re.compile(rb"(?<![\w.])/(?:[w]ork|[r]oot|[h]ome|[U]sers|[f]arm)/\w")
# A host of a package registry: where packages come from is for the reader's machine to say.
REGISTRY = re.compile(rb"\b(?:[p]ypi\.org|[p]ythonhosted\.org|[r]egistry\.npmjs|[d]eb\.debian)\b")


@pytest.fixture(scope="module")
def project(repository: Path) -> dict[str, Any]:
    return tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))


def logical_lines(lock: Path) -> list[str]:
    """The requirements of a lock, each with its hashes on one line, without comments."""
    joined = lock.read_text("utf-8").replace("\\\n", " ")
    return [line for line in joined.splitlines() if line and not line.lstrip().startswith("#")]


def pins(lock: Path) -> dict[str, Version]:
    """What a lock pins for this Python: the version of each package, by its canonical name."""
    found: dict[str, Version] = {}
    for line in logical_lines(lock):
        requirement = Requirement(line.partition(" --hash=")[0].strip())
        if requirement.marker and not requirement.marker.evaluate():
            continue
        (specifier,) = requirement.specifier
        assert specifier.operator == "=="
        name = canonicalize_name(requirement.name)
        assert name not in found, f"{name} is pinned twice"
        found[name] = Version(specifier.version)
    return found


def stated(project: dict[str, Any]) -> list[Requirement]:
    """What runs Tricklog, with its pages."""
    pages = project["project"]["optional-dependencies"]["dashboard"]
    return [*map(Requirement, (*project["project"]["dependencies"], *pages))]


def grouped(project: dict[str, Any], *groups: str) -> Iterator[Requirement]:
    """The requirements of groups and the groups they include."""
    waiting = [*groups]
    while waiting:
        for entry in project["dependency-groups"][waiting.pop()]:
            if isinstance(entry, str):
                yield Requirement(entry)
            else:
                waiting.append(entry["include-group"])


def commands_of_dev(repository: Path) -> set[str]:
    usage = subprocess.run(
        [repository / "dev", "help"], check=True, capture_output=True, text=True
    ).stdout
    return set(re.findall(r"^  (\w+)\b", usage, flags=re.MULTILINE))


def tracked_files(repository: Path) -> list[Path]:
    if not (repository / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=repository, check=True, capture_output=True
    ).stdout
    paths = [repository / name for name in listed.decode().split("\0") if name]
    # A file that is deleted and not yet committed is listed too, and so is a link to a folder.
    return [path for path in paths if path.is_file()]


# --- Locks
@pytest.mark.parametrize("name", EVERY_LOCK)
def test_a_lock_is_only_exact_pins_with_hashes(repository: Path, name: str) -> None:
    lines = logical_lines(repository / name)
    assert lines
    for line in lines:
        assert re.fullmatch(
            r"[a-z0-9-]+==[\w.]+( ; [^#@]+?)?( +--hash=sha256:[0-9a-f]{64})+ *", line
        ), line[:80]


@pytest.mark.parametrize("name", EVERY_LOCK)
def test_a_lock_names_no_index_host_or_path(repository: Path, name: str) -> None:
    text = (repository / name).read_text("utf-8").replace("./dev lock", "")
    assert not re.search(r"/|--index|--extra|--find-links|--trusted|@", text)


@pytest.mark.parametrize(
    ("name", "groups"),
    [(RUNNING, ()), (BUILDING, ("build",)), (COMPILING, ("compiler",)), (DEVELOPING, ("dev",))],
)
def test_every_stated_dependency_is_pinned_within_its_range(
    repository: Path, project: dict[str, Any], name: str, groups: tuple[str, ...]
) -> None:
    pinned = pins(repository / name)
    running = stated(project) if name in (RUNNING, DEVELOPING) else ()
    for requirement in (*running, *grouped(project, *groups)):
        version = pinned.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement.name} is not in {name}: run ./dev lock"
        assert version in requirement.specifier, f"{name} pins {requirement.name} {version}"


def test_each_lock_holds_those_below_it(repository: Path) -> None:
    running, building, developing = (
        pins(repository / name) for name in (RUNNING, BUILDING, DEVELOPING)
    )
    assert running.items() | building.items() <= developing.items()


def test_the_lock_for_running_holds_no_tools(repository: Path, project: dict[str, Any]) -> None:
    running = pins(repository / RUNNING)
    tools = {canonicalize_name(each.name) for each in grouped(project, "dev", "fuzz")}
    # Streamlit brings the first two itself, and the rules are imported to be compiled.
    both = {"altair", "packaging", "msgspec", "numpy"}
    assert tools & running.keys() <= both
    assert pins(repository / BUILDING).keys() & running.keys() <= both


def test_every_dependency_has_an_upper_bound(project: dict[str, Any]) -> None:
    for requirement in (*stated(project), *grouped(project, *project["dependency-groups"])):
        operators = {each.operator for each in requirement.specifier}
        assert operators == {">=", "<"}, requirement


def test_each_dependency_for_running_is_imported(repository: Path, project: dict[str, Any]) -> None:
    texts = [
        path.read_text("utf-8")
        for package in PACKAGES
        for path in (repository / package).rglob("*.py")
    ]
    for requirement in stated(project):
        module = requirement.name.replace("-", "_")
        used = re.compile(rf"^\s*(?:import|from) {module}\b", flags=re.MULTILINE)
        assert any(map(used.search, texts)), requirement.name


def test_the_build_needs_nothing_that_is_not_locked(project: dict[str, Any]) -> None:
    groups = project["dependency-groups"]
    assert project["build-system"]["requires"] == groups["build"]
    assert groups["compiler"] == [build.ZIG]


def test_a_package_index_shows_the_readme_without_links_that_lead_nowhere(repository: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "metadata", "readme"]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True)
    shown = json.loads(done.stdout)["text"] if done.stdout.startswith("{") else done.stdout
    assert "./dev demo" in shown
    assert "I have a notebook goes on" in shown
    links = re.findall(r"\]\(([^)]*)\)", shown)
    assert all(link.startswith("https://") for link in links), links


# --- Commands
def test_the_readme_starts_with_the_two_commands(repository: Path) -> None:
    readme = (repository / "README.md").read_text("utf-8")
    blocks = re.findall(r"```(?:sh|bash|console)?\n(.*?)```", readme, flags=re.DOTALL)
    commands = [line for block in blocks for line in block.splitlines() if "./dev" in line]
    assert commands[0].split("#")[0].strip(" $") == "./dev demo"
    assert commands[1].split("#")[0].strip(" $") == "./dev test"


def test_every_dev_command_in_the_guides_exists(repository: Path) -> None:
    known = commands_of_dev(repository)
    assert {"demo", "test", "check"} <= known
    pages = [repository / name for name in GUIDES] + sorted((repository / "docs").rglob("*.md"))
    for page in pages:
        used = set(re.findall(r"\./dev (\w+)", page.read_text("utf-8")))
        assert used <= known, page


def test_contributing_names_every_dev_command(repository: Path) -> None:
    contributing = (repository / "CONTRIBUTING.md").read_text("utf-8")
    for command in commands_of_dev(repository) - {"help"}:
        assert f"./dev {command}" in contributing, command


def test_what_is_added_often_touches_four_files_by_hand(repository: Path) -> None:
    contributing = (repository / "CONTRIBUTING.md").read_text("utf-8")
    for thing in ("An option", "A finding", "A metric"):
        _, _, after = contributing.partition(f"**{thing}**")
        by_hand, written, _ = after.partition("\nWritten: ")
        assert written, thing
        files = re.findall(r"^\d\. `(\S+)`", by_hand, flags=re.MULTILINE)
        assert len(files) == len(re.findall(r"^\d\.", by_hand, flags=re.MULTILINE)) == 4, thing


def test_an_unknown_dev_command_is_a_usage_error(repository: Path, tmp_path: Path) -> None:
    result = subprocess.run(
        [repository / "dev", "nonsense"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == 2
    assert result.stderr.startswith("Usage: ./dev")


def test_the_build_server_runs_the_one_list_of_checks(repository: Path) -> None:
    script = (repository / ".ci" / "run").read_text("utf-8")
    assert re.search(r"^env --default-signal=INT \./dev check\n\Z", script, flags=re.MULTILINE)


@pytest.mark.parametrize("script", ["dev", ".ci/run"])
def test_scripts_are_executable_and_parse(repository: Path, script: str) -> None:
    path = repository / script
    assert path.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", path], check=True)


# --- Systems and versions
def test_the_classifiers_name_pythons_tried(repository: Path, project: dict[str, Any]) -> None:
    script = (repository / "dev").read_text("utf-8")
    tried = re.findall(r"^readonly pythons=\((.+)\)$", script, flags=re.MULTILINE)[0].split()
    claimed = re.findall(
        r"^Programming Language :: Python :: (3\.\d+)$",
        "\n".join(project["project"]["classifiers"]),
        flags=re.MULTILINE,
    )
    assert claimed == ["3.11", "3.12", "3.13"], "only those that were really tried"
    assert tried == [*claimed, "3.14"]


@pytest.mark.posix
def test_dev_pythons_says_which_are_not_found(repository: Path, tmp_path: Path) -> None:
    broken = tmp_path / "python3.12"
    broken.write_text("#!/bin/sh\nexit 127\n", "utf-8")
    broken.chmod(0o755)
    for tool in ("bash", "dirname", "env"):
        found = shutil.which(tool)
        assert found is not None
        (tmp_path / tool).symlink_to(found)
    done = subprocess.run(
        [repository / "dev", "pythons"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "not on the path: 3.11 3.12 3.13 3.14" in done.stderr


def test_nothing_claims_or_provides_for_windows(repository: Path, project: dict[str, Any]) -> None:
    systems = [each for each in project["project"]["classifiers"] if "Operating System" in each]
    assert systems == ["Operating System :: POSIX :: Linux"]
    for package in (*PACKAGES, "tests"):
        for path in (repository / package).rglob("*.py"):
            found = re.search(r"\b(?:[w]in32|[m]svcrt|[L]OCALAPPDATA)\b", path.read_text("utf-8"))
            assert found is None, f"{path}: {found}"


def test_tests_that_need_posix_are_marked(repository: Path) -> None:
    needs = re.compile(
        r"\bTerminal\(|tests\.kit\.kills|\bsignal\.SIG|os\.mkfifo|os\.fork|fcntl\.|\.symlink_to\("
        r"|\.chmod\("
    )
    for path in (repository / "tests").rglob("test_*.py"):
        text = path.read_text("utf-8")
        assert not needs.search(text) or "pytest.mark.posix" in text, path


# --- Packages and documents
@pytest.mark.parametrize("package", PACKAGES)
def test_packages_say_that_they_are_typed(repository: Path, package: str) -> None:
    assert (repository / package / "py.typed").is_file()
    assert (repository / package / "__init__.py").is_file()


def test_no_module_beside_the_dashboard_shadows_a_package(repository: Path) -> None:
    # A page's script puts its own folder first among the places where imports are looked up.
    for page in (repository / "dashboard").rglob("*.py"):
        assert page.stem != "tricklog", page


def test_the_changelog_has_version_and_next(repository: Path, project: dict[str, Any]) -> None:
    changelog = (repository / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"^## (.+)$", changelog, flags=re.MULTILINE)
    assert headings, "the changelog has no section"
    assert any(
        "unreleased" in heading.lower() or project["project"]["version"] in heading
        for heading in headings
    )


def test_each_decision_stands_on_one_page_that_the_index_names(repository: Path) -> None:
    folder = repository / "docs" / "decisions"
    index = (folder / "README.md").read_text("utf-8")
    past = (folder / "past" / "README.md").read_text("utf-8")
    found = []
    for page in sorted(folder.rglob("[0-9]*.md")):
        title, _, below = page.read_text("utf-8").splitlines()[:3]
        number, place = int(page.name[:4]), page.relative_to(folder).as_posix()
        assert title.startswith(f"# {number}. "), f"{place}:1: begin with '# {number}. '"
        if page.parent == folder:
            line = f"- [{title.partition('. ')[2]}]({place})"
            assert line in index, f"docs/decisions/README.md: say '{line}'"
        else:
            assert below.startswith("**Overruled** by ["), f"{place}:3: say by what"
            assert f"[{number}]({page.name})" in past, f"past/README.md: name {number}"
        merged = below.partition(";")[0] if below.startswith("Decisions ") else page.name[:4]
        for each in map(int, re.findall(r"\d+", merged)):
            found.append(each)
            assert f"[{each}]({place})" in index, f"docs/decisions/README.md: {each} is in {place}"
    for number, each in enumerate(sorted(found), start=1):
        assert number == each, f"{min(number, each)} stands on no page, or on two"


def test_decisions_are_few_and_short(repository: Path) -> None:
    folder = repository / "docs" / "decisions"
    words = {page.name: words_of(page) for page in folder.glob("*.md")}
    assert len(words) <= 1 + 40, "write what is new on the page of its subject"
    long = [name for name in words if words[name] > 400 and name != "README.md"]
    assert not long, f"{long}: 400 words at most, what was tried and what follows"
    assert sum(words.values()) <= 14_000, "14,000 words at most, all pages together"


def words_of(page: Path) -> int:
    return sum(any(map(str.isalnum, word)) for word in page.read_text("utf-8").split())


def test_no_heading_stands_twice_in_a_version_of_the_changelog(repository: Path) -> None:
    changelog = (repository / "CHANGELOG.md").read_text("utf-8")
    for version in re.split(r"^## ", changelog, flags=re.MULTILINE):
        headings = re.findall(r"^### (.+)$", version, flags=re.MULTILINE)
        assert len(headings) == len(set(headings)), sorted(headings)


def test_temporary_folders_have_one_maker(repository: Path) -> None:
    """Of what it makes nothing stays behind, whenever a run is killed; there may be hands in it."""
    folders = [repository / name for name in (*PACKAGES, "tricklog")]
    users = {
        str(path.relative_to(repository))
        for folder in folders
        for path in folder.rglob("*.py")
        if re.search(r"(?m)^\s*(?:import|from) tempfile\b|\bmkdtemp\b", path.read_text("utf-8"))
    }
    # The rules are compiled where nothing of ingest is imported, and no hand is.
    assert users == {"ingest/reading/scratch.py", "replay/native/build.py"}


# --- What may stand in a tracked file
def test_no_tracked_file_holds_a_path_of_a_machine_or_a_registry(repository: Path) -> None:
    for path in tracked_files(repository):
        content = path.read_bytes()
        for number, line in enumerate(content.splitlines(), start=1):
            found = MACHINE_PATH.search(line) or REGISTRY.search(line)
            assert found is None, f"{path.relative_to(repository)}:{number}: {found}"


@pytest.mark.parametrize("folder", ["work", "root", "home", "Users"])
def test_a_path_of_a_machine_is_recognised(folder: str) -> None:
    assert MACHINE_PATH.search(f"open('/{folder}/me/hand.jsonl')".encode())
    assert not MACHINE_PATH.search(f"docs/{folder}/hand.md".encode())


def test_no_secret_or_generated_file_is_tracked(repository: Path) -> None:
    for path in tracked_files(repository):
        name = path.relative_to(repository)
        assert path.suffix not in {".pem", ".key", ".duckdb", ".pyc", ".whl"}, name
        assert path.name != ".env", name


def test_text_files_end_lines_the_same_way(repository: Path) -> None:
    for path in tracked_files(repository):
        if path.suffix in {".py", ".md", ".toml", ".sql", ".json", ".js", ".css"}:
            content = path.read_bytes()
            assert b"\r" not in content, path
            assert content.endswith(b"\n") or not content, path


@pytest.mark.slow("every module of tests is imported")
def test_every_test_of_the_long_tier_can_be_collected(repository: Path) -> None:
    # One that cannot, as with an id that stands twice, keeps the whole tier from running.
    collected = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "--thorough", "--collect-only", "-qq", "-p"),
            *("no:cacheprovider", "-p", "no:xdist"),
        ],
        cwd=repository,
        env={name: value for name, value in os.environ.items() if "PYTEST" not in name},
        capture_output=True,
        text=True,
        check=False,
    )
    assert collected.returncode == 0, collected.stdout


# --- The architecture
@pytest.fixture(scope="module")
def uses() -> set[tuple[architecture.Part, architecture.Part]]:
    return architecture.uses()


def test_the_picture_is_up_to_date() -> None:
    assert architecture.PICTURE.read_text("utf-8") == architecture.picture(), "./dev regenerate"
    assert len(architecture.PARTS) <= 10


def test_no_arrow_has_another_back(uses: set[tuple[architecture.Part, architecture.Part]]) -> None:
    assert len(uses) > 20
    assert not {(there, here) for here, there in uses} & uses
    assert {part for pair in architecture.drawn(uses) for part in pair} == {*architecture.PARTS}


def test_every_place_that_the_page_names_is_there(repository: Path) -> None:
    page = (repository / "docs" / "architecture.md").read_text("utf-8")
    named = re.findall(r"`((?:dashboard|ingest|replay|schemas)/[^`]*)`", page)
    gone = [each for each in named if not [*repository.glob(each.replace("NAME", "*"))]]
    assert len(named) > 30
    assert gone == []
    functions = re.findall(r"`([\w/]+\.py)`(?:,|:) ((?:`\w+`(?:, )?)+)", page)
    for file, names in functions:
        text = (repository / file).read_text("utf-8")
        assert all(f"def {name}(" in text for name in re.findall(r"`(\w+)`", names)), file
    assert len(functions) > 10


def test_no_room_hides_a_function_of_the_same_name() -> None:
    for package in (ingest, core):
        rooms = {found.name for found in pkgutil.iter_modules(package.__path__)}
        assert rooms
        assert not rooms & set(package.__all__)


def test_the_pictures_of_tables_show_their_keys_and_are_up_to_date() -> None:
    for name in tables.PICTURES:
        assert tables.file_of(name).read_text("utf-8") == tables.picture(name), "./dev regenerate"
    lines = tables.lines_of(tables.PICTURES["tables"])
    assert ("hands", "game", "games", "game") in lines
    assert ("calls", "hand_id", "hands", "hand_id") in lines
