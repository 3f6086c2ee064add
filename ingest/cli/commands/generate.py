"""``tricklog generate``: make complete games of a variant."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from tricklog.ingest.cli.arguments import Output
from tricklog.ingest.cli.output import UserError, writing_lines
from tricklog.ingest.cli.rulesets import definition_of, is_file_name, wanted_rules

EXAMPLES = """\
  tricklog generate --variant pidro --games 3 --seed 1 --output games.jsonl
  tricklog generate --variant sancho --players 6 > six.jsonl
  tricklog generate --variant twenty-nine | tricklog audit -
  tricklog generate --variant club.toml          # games under rules of your own"""


def generate(
    *,
    variant: str,
    games: Annotated[int, Parameter(validator=Number(gte=1))] = 1,
    seed: int = 1,
    players: int | None = None,
    output: Output = None,
) -> None:
    """Write complete games played by bots.

    The games are a hand log with legal play of simple card sense. The same arguments give the same
    hands.

    Args:
        variant: Which game; tricklog rules lists them. Or a TOML file with rules of your own.
        games: How many games.
        seed: Any whole number; another one gives other deals.
        players: How many play; without it as few as the game takes.
    """
    from tricklog.core import RulesetError, variants
    from tricklog.core import generate as generated_hands
    from tricklog.schemas.hand import encode_hand

    own = variant not in variants() and is_file_name(variant)
    definition = definition_of(Path(variant)) if own else None
    name = definition["id"] if definition else wanted_rules(variant).id
    try:
        with writing_lines(output) as write:
            for hand in generated_hands(name, games, seed, players=players, definition=definition):
                write(encode_hand(hand))
    except RulesetError as error:
        raise UserError(str(error)) from error
