"""The generated samples: which games they hold, and a way to write them again.

``./dev regenerate`` writes them, after a change of the bots or of the format.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.support import JOKER
from tricklog.core import generate
from tricklog.schemas.hand import Hand, OptionValue, encode_hand

FOLDER = Path(__file__).resolve().parents[2] / "sample_logs" / "valid"
OF_SAMPLES = "sample:"
"""What ids of hands, games and players begin with in the samples, and nowhere else."""


def as_sample(hand: Hand) -> Hand:
    """The hand with ids that only samples have; its players keep their names."""
    players = [
        replace(each, id=OF_SAMPLES + each.id, name=each.name or each.id) for each in hand.players
    ]
    game = UNSET if hand.game is UNSET else OF_SAMPLES + hand.game
    return replace(hand, id=OF_SAMPLES + hand.id, game=game, players=players)


@dataclass(frozen=True)
class Sample:
    """A file of generated games: the arguments of ``tricklog.core.bots.generate``."""

    variant: str
    name: str
    games: int
    seed: int
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    players: int | None = None

    @property
    def path(self) -> Path:
        """Where the file lies."""
        return FOLDER / self.variant / f"{self.name}.jsonl"

    def text(self) -> bytes:
        """What the file holds."""
        hands = generate(
            self.variant, self.games, self.seed, players=self.players, options=self.options
        )
        return b"".join(encode_hand(as_sample(hand)) + b"\n" for hand in hands)


NINE_AND_A_REFILL: dict[str, OptionValue] = {
    "packets": [9],
    "kitty_size": 0,
    "discard": "all-plain",
    "refill": "others",
    "rob": "whole-stock",
    "phases": [
        *("auction", "trump", "discard", "give", "refill", "rob"),
        *("dealer-give", "come-down", "play"),
    ],
}
"""O30: nine cards, plain ones laid off, hands filled to six, the rest to the dealer."""
PARTNERS: dict[str, OptionValue] = {"players": [4], "sides": "partners"}
"""O26: four play in partnerships."""

SAMPLES = (
    Sample("pedro", "five-games", 5, 36),
    Sample(
        "pedro",
        "one-game-minimum-6-strict-following",
        1,
        4,
        {"min_bid": 6, "forced_bid": 6, "plain_follow": "follow"},
    ),
    Sample(
        "pedro",
        "one-game-fourteen-doubled-down-to-six",
        1,
        3,
        {"slam": "double-if-made", "special_bid": "dealer-28-56", "surplus": "discard"},
    ),
    Sample(
        "pedro",
        "one-game-open-discards",
        1,
        2,
        {"discards_shown": "all", "discards_claimed": True},
    ),
    Sample("cinch", "five-games", 5, 1),
    Sample(
        "cinch",
        "one-game-rounds-of-bids-trumps-shown",
        1,
        3,
        {
            "auction": "rounds",
            "pass_final": False,
            "discards_shown": "trumps",
            "discard_changeable": True,
        },
    ),
    Sample("nicaragua", "five-games", 5, 1),
    Sample("nicaragua", "one-game-six-cards", 1, 2, {"hand_size": 6}),
    Sample("pidro", "five-games", 5, 36),
    Sample("pidro", "one-game-to-52-two-to-winner", 1, 5, {"target": 52, "low_to": "winner"}),
    Sample(
        "pidro",
        "one-game-four-more-cards-14-over-14",
        1,
        2,
        {
            "packets": [9, 4],
            "discard": "to-size",
            "refill": "nobody",
            "rob": "nothing",
            "equal_bid": "anyone-at-maximum",
        },
    ),
    Sample("pitch-with-fives", "five-games", 5, 1),
    Sample(
        "pitch-with-fives",
        "one-game-high-and-low-in-play",
        1,
        2,
        {
            "high_low": "in-play",
            "low_to": "winner",
            "game_point": "count",
            "points": {"A": 1, "J": 1, "5": 5, "2": 1},
        },
    ),
    Sample("sancho", "three-games", 3, 1),
    *(Sample("sancho", f"one-game-at-{seats}", 1, 1, players=seats) for seats in (5, 6, 7)),
    Sample("sancho", "one-game-in-partnership", 1, 2, PARTNERS),
    Sample("sancho", "one-game-whole-pack", 1, 2, {"deal": "whole-pack"}),
    Sample("snoozer", "three-games", 3, 1),
    *(Sample("snoozer", f"one-game-at-{seats}", 1, 1, players=seats) for seats in (5, 6, 7)),
    Sample("snoozer", "one-game-in-partnership", 1, 2, PARTNERS),
    Sample(
        "snoozer",
        "one-game-filled-to-six",
        1,
        3,
        {"discard": "all-plain", "refill": "everybody"},
    ),
    Sample("king-pedro", "five-games", 5, 6),
    Sample(
        "king-pedro",
        "one-game-highest-of-suit-wins",
        1,
        4,
        {"trumpless_trick": "highest-of-suit", "surplus_points": "none"},
    ),
    Sample("ukrainian", "three-games", 3, 1),
    Sample("ukrainian", "one-game-bid-only", 1, 2, {"made": "bid"}),
    Sample("sixty-three", "five-games", 5, 13),
    Sample(
        "sixty-three",
        "one-game-with-a-joker",
        1,
        37,
        JOKER,
    ),
    Sample("eighty-three", "five-games", 5, 1),
    Sample("eighty-three", "one-game-nine-cards-and-a-refill", 1, 6, NINE_AND_A_REFILL),
    Sample("twenty-nine", "five-games", 5, 20),
    Sample(
        "twenty-nine",
        "one-game-last-trick-counts",
        1,
        9,
        {"last_trick_points": 1, "max_bid": 29, "min_bid": 16, "forced_bid": 16},
    ),
    Sample(
        "twenty-nine",
        "one-game-seventh-card-doubling-optional-asking",
        1,
        2,
        {"seventh_card": True, "doubling": "super", "ask": "optional"},
    ),
    Sample("lucknow", "one-game", 1, 2),
    Sample("lucknow", "two-games-to-6", 2, 1, {"target": 6, "lose_at": -6}),
    Sample(
        "lucknow",
        "one-game-to-6-doubling",
        1,
        8,
        {"target": 6, "lose_at": -6, "tenny": True, "doubling": "redouble"},
    ),
    Sample("bangladesh", "three-games", 3, 1),
    Sample(
        "bangladesh",
        "one-game-everybody-bids-once",
        1,
        2,
        {"auction": "one-turn", "ditto": "nobody", "pass_final": True, "all_pass": "thrown-in"},
    ),
)


def write() -> None:
    """Write every sample."""
    for sample in SAMPLES:
        sample.path.parent.mkdir(parents=True, exist_ok=True)
        sample.path.write_bytes(sample.text())
