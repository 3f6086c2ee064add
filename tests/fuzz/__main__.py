"""A long run, guided by coverage: ``python -m tests.fuzz --target reader --runs 10000000``.

Needs atheris (``.venv/bin/uv pip install --group fuzz``). The inputs that led to new code stay in
the folder of the run; a run goes on where the last one in its folder ended. The first input that
fails is written there as ``crash-*``, and the run ends with its traceback.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from pathlib import Path

try:
    import atheris
except ModuleNotFoundError:
    sys.exit("atheris is lacking; install it with: .venv/bin/uv pip install --group fuzz")

with atheris.instrument_imports(include=["tricklog.ingest", "tricklog.schemas"]):
    from tests.fuzz.mutation import changed_json
    from tests.fuzz.seeds import LONGEST, seeds_of, words_of
    from tests.fuzz.targets import TARGETS

COMPRESSED_OR_WORDS = frozenset({"stream", "action"})
"""Targets whose inputs are no JSON."""


def main() -> None:
    """Run one target."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.fuzz")
    parser.add_argument("--target", choices=TARGETS, default="reader")
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, default=Path("fuzz"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder = options.folder / options.target
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds_of(options.target)):
        (corpus / f"seed-{number:04}").write_bytes(seed)
    words = folder / "words"
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in words_of(options.target)))
    arguments = [
        f"-runs={options.runs}",
        f"-seed={options.seed}",
        f"-max_len={LONGEST}",
        f"-dict={words}",
        f"-artifact_prefix={folder}/",
        "-timeout=20",
        "-rss_limit_mb=2048",
        "-print_final_stats=1",
        str(corpus),
    ]
    mutator = None if options.target in COMPRESSED_OR_WORDS else _mutated
    atheris.Setup([sys.argv[0], *arguments], TARGETS[options.target], custom_mutator=mutator)
    atheris.Fuzz()


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


def _mutated(data: bytes, max_size: int, seed: int) -> bytes:
    """Change an input half of the time as JSON, else as the fuzzer does by itself."""
    mutate: Callable[[bytes, int], bytes] = atheris.Mutate
    if random.Random(seed).random() < 0.5:
        return mutate(data, max_size)
    made = changed_json(data, seed)
    return made if made != data and len(made) <= max_size else mutate(data, max_size)


if __name__ == "__main__":
    main()
