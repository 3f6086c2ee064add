"""What operators copy from the page about clusters: files that parse, commands that exist."""

import importlib
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import yaml  # type: ignore[import-untyped]

from tests.conftest import REPOSITORY
from tricklog.ingest.cli import make_app

PAGE = (REPOSITORY / "docs" / "cluster.md").read_text("utf-8")
EXAMPLES = REPOSITORY / "docs" / "examples"


def example(name: str) -> Any:  # noqa: ANN401 - YAML
    return yaml.safe_load((EXAMPLES / name).read_text("utf-8"))


def texts(value: object) -> Iterator[str]:
    """Every text in a parsed file."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)


def commands() -> list[list[str]]:
    """Every command of Tricklog and of Ray on the page and in the examples, word by word."""
    blocks = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += [text for name in ("ray-up.yaml", "ray-job.yaml") for text in texts(example(name))]
    found = []
    for line in lines:
        for part in re.split(r";|&&|\|\|", line.partition("  #")[0]):
            words = shlex.split(part)
            if len(words) > 1 and words[0] in {"tricklog", "ray"}:
                found.append(words)
            # ray exec runs another command on the head.
            found += [shlex.split(word) for word in words[1:] if word.startswith("tricklog ")]
    return found


def test_commands_and_options_that_the_page_names_exist() -> None:
    from ray.scripts import scripts

    def options_of(command: str) -> set[str]:
        return {option for each in scripts.cli.commands[command].params for option in each.opts}

    app = make_app()
    assert {" ".join(words[:2]) for words in commands()} == {
        "tricklog load", "ray start", "ray stop", "ray up", "ray down",
        "ray exec", "ray get-auth-token",
    }  # fmt: skip
    for program, *words in commands():
        if program == "ray":
            asked = {word.partition("=")[0] for word in words if word.startswith("-")}
            assert asked <= options_of(words[0])
        else:
            _, bound, ignored, *_ = app.parse_args(words, exit_on_error=False, print_error=False)
            assert bound.arguments, words
            assert not ignored, words
    named = set(re.findall(r"--[a-z][a-z-]+", PAGE)) - {"--on", "--take-over", "--db", "--check"}
    assert named - options_of("start") == {"--generate", "--no-deps"}
    assert len(named) > 8


def test_the_cluster_of_machines_is_what_ray_takes() -> None:
    import ray

    schema = Path(ray.__file__).parent / "autoscaler" / "ray-schema.json"
    cluster = example("ray-up.yaml")
    jsonschema.validate(cluster, json.loads(schema.read_text("utf-8")))
    kinds = cluster["available_node_types"]
    assert cluster["head_node_type"] in kinds
    assert kinds["head"]["resources"] == {"CPU": 0}
    assert kinds["worker"]["min_workers"] >= 1, "a load waits five minutes at most"
    defaults = importlib.import_module("ray.autoscaler._private.util").prepare_config(cluster)
    importlib.import_module("ray.autoscaler._private.util").validate_config(defaults)


def test_the_job_of_kubernetes_is_complete() -> None:
    spec = example("ray-job.yaml")["spec"]
    cluster = spec["rayClusterSpec"]
    assert cluster["authOptions"] == {"mode": "token"}
    groups = [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]
    for group in groups:
        pod = group["template"]["spec"]
        (container,) = pod["containers"]
        assert container["resources"]["limits"]["memory"]
        mounted = {mount["name"] for mount in container["volumeMounts"]}
        assert mounted == {volume["name"] for volume in pod["volumes"]}
    workers = cluster["workerGroupSpecs"][0]["template"]["spec"]["containers"][0]
    cores = int(workers["resources"]["requests"]["cpu"])
    assert int(workers["resources"]["limits"]["memory"].removesuffix("Gi")) >= 2 * cores


def test_all_speak_of_the_same_ray_of_one_scratch_and_of_what_there_is() -> None:
    files = [(EXAMPLES / name).read_text("utf-8") for name in ("Dockerfile", "ray-up.yaml")]
    named = set(re.findall(r"(?:ray\[[a-z,]+\]==|rayproject/ray:)([\d.]+)", "".join(files)))
    named |= {example("ray-job.yaml")["spec"]["rayClusterSpec"]["rayVersion"]}
    assert len(named) == 1
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    (wanted,) = [each for each in project["optional-dependencies"]["ray"] if each.startswith("ray")]
    assert wanted == f"ray[client]>={named.pop().rpartition('.')[0]},<3"
    image = (EXAMPLES / "Dockerfile").read_text("utf-8")
    settings = dict(re.findall(r"([A-Z_]+)=(\S+)", image))
    assert settings["TMPDIR"] == "/scratch/tmp"
    assert "mountPath: /scratch\n" in (EXAMPLES / "ray-job.yaml").read_text("utf-8")
    links = set(re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", PAGE))
    assert {link for link in links if not (REPOSITORY / "docs" / link).is_file()} == set()
