"""Long runs, by hand: python -m tests.long.NAME."""

import argparse


def parser_of(doc: str | None, **defaults: float) -> argparse.ArgumentParser:
    """Return a parser that says the first line of ``doc``, with a number for each option."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0] if doc else None)
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    return parser
