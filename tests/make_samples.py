"""The generated samples: which games they hold, and a way to write them anew.

``python -m tests.make_samples`` writes them, after a change of the bots or of the format.
"""

from dataclasses import dataclass, field
from pathlib import Path

from replay import generate
from schemas.hand import OptionValue, encode_hand

FOLDER = Path(__file__).resolve().parents[1] / "sample_logs" / "valid"


@dataclass(frozen=True)
class Sample:
    """A file of generated games: the arguments of ``replay.generate``."""

    variant: str
    name: str
    games: int
    seed: int
    options: dict[str, OptionValue] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """Where the file lies."""
        return FOLDER / self.variant / f"{self.name}.jsonl"

    def text(self) -> bytes:
        """What the file holds."""
        hands = generate(self.variant, self.games, self.seed, options=self.options)
        return b"".join(encode_hand(hand) + b"\n" for hand in hands)


SAMPLES = (
    Sample("pedro", "five-games", 5, 36),
    Sample(
        "pedro",
        "one-game-minimum-6-strict-following",
        1,
        4,
        {"min_bid": 6, "forced_bid": 6, "plain_follow": "follow"},
    ),
    Sample("pidro", "five-games", 5, 36),
    Sample("pidro", "one-game-to-52-two-to-winner", 1, 5, {"target": 52, "low_to": "winner"}),
    Sample("king-pedro", "five-games", 5, 6),
    Sample(
        "king-pedro",
        "one-game-highest-of-suit-wins",
        1,
        4,
        {"trumpless_trick": "highest-of-suit", "surplus_points": "none"},
    ),
    Sample("twenty-nine", "five-games", 5, 20),
    Sample(
        "twenty-nine",
        "one-game-last-trick-counts",
        1,
        9,
        {"last_trick_points": 1, "max_bid": 29, "min_bid": 16, "forced_bid": 16},
    ),
)


def main() -> None:
    """Write every sample."""
    for sample in SAMPLES:
        sample.path.parent.mkdir(parents=True, exist_ok=True)
        sample.path.write_bytes(sample.text())


if __name__ == "__main__":
    main()
