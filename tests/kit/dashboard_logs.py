"""A small warehouse for tests of the dashboard: four variants, and hands with something wrong."""

from functools import cache
from pathlib import Path

from msgspec.structs import replace

from tests.kit.played_once import played
from tricklog import Claimed, Hand, Player, Verb, core, decode_hand, encode_hand
from tricklog.ingest.reading.samples import samples_folder

NASTY = "<img src=x onerror=alert(1)> **b** :smile: $x$ \u202e=1+1"
"""A name with HTML, markdown, an emoji by name, a formula and a mark that turns text round."""
REVOKE, CLAIM, NAMES = "revoked", "claimed", "a <b>hand</b> of [names](x)"
VARIANTS = ("king-pedro", "pedro", "pidro", "twenty-nine")


def first_hands(variant: str, count: int) -> list[Hand]:
    return list(played(variant, 3, 11)[:count])


def sample_hands(variant: str, count: int) -> list[Hand]:
    """The first hands of the shortest log among the samples of a variant."""
    logs = (samples_folder() / "valid" / variant).glob("*.jsonl")
    shortest = min(logs, key=lambda path: path.stat().st_size)
    return [decode_hand(line) for line in shortest.read_bytes().splitlines()[:count]]


@cache
def with_revoke() -> tuple[Hand, int]:
    """A hand of Twenty-Nine in which a player who could follow did not, and the action it is."""
    for hand in played("twenty-nine", 1, 5):
        replayed = core.replay(hand)
        for index, action in enumerate(replayed.actions):
            view = replayed.at(index)
            barred = view.holdings[action.seat] & ~view.choice.cards
            if action.verb != Verb.PLAY or not view.choice.cards or not barred:
                continue
            later = next(
                each
                for each in range(index + 1, len(hand.actions))
                if replayed.actions[each].seat == action.seat
                and replayed.actions[each].verb == Verb.PLAY
                and barred >> replayed.actions[each].card & 1
            )
            actions = list(hand.actions)
            actions[index], actions[later] = actions[later], actions[index]
            return alone(hand, REVOKE, actions=actions), index
    raise AssertionError("every player always held nothing but cards of the suit led")


def with_wrong_claim() -> Hand:
    hand = first_hands("pedro", 3)[2]
    return alone(hand, CLAIM, claimed=Claimed(points=[13, 1]))


def with_nasty_names() -> Hand:
    """A hand of Pedro by players with names that a page must not take for markup."""
    hand = first_hands("pedro", 2)[1]
    players = [
        Player(f"nasty-{seat}", f"{NASTY} {seat}", "bot") for seat in range(len(hand.players))
    ]
    return alone(hand, NAMES, players=players, claimed=Claimed(points=[13, 1]))


def alone(hand: Hand, name: str, **changes: object) -> Hand:
    return replace(hand, id=name, game=f"game {name}", hand=1, scores=[0, 0], **changes)


def write_logs(folder: Path) -> Path:
    """Write the logs into ``folder``, one line in them unreadable; return it."""
    folder.mkdir(parents=True, exist_ok=True)
    hands = [hand for variant in VARIANTS for hand in first_hands(variant, 12)]
    hands += [with_revoke()[0], with_wrong_claim(), with_nasty_names()]
    lines = [encode_hand(hand) for hand in hands] + [b'{"format": "tricklog/1"}']
    (folder / "hands.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    return folder
