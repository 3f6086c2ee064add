"""``tricklog generate``: make complete games of a variant."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from tricklog.ingest.cli.arguments import Output
from tricklog.ingest.cli.output import in_words, writing_lines
from tricklog.ingest.cli.rulesets import rules_named

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
    from tricklog.core import RulesetError
    from tricklog.core import generate as generated_hands
    from tricklog.schemas.hand import encode_hand

    rules = rules_named(variant)
    definition = rules.definition or None
    made = generated_hands(rules.variant, games, seed, players=players, definition=definition)
    with in_words(RulesetError), writing_lines(output) as write:
        for hand in made:
            write(encode_hand(hand))
