"""Who sits at a table that is recorded: names as they are typed, and the ids they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tricklog.core.recording.draft import RecordingError
from tricklog.ingest.text_form.folding import fold, name_key
from tricklog.ingest.text_form.settings import players_in
from tricklog.schemas.hand import Player
from tricklog.schemas.player_ids import id_of_name


def players_of(text: str) -> list[Player]:
    """Return the players of a line as the text form has it: ``Ann, Bo <bo7>, Robo (bot), Dee``.

    Raises ``RecordingError`` for a part that is no player.
    """
    found = []
    for part, _, player in players_in(text):
        if player is None:
            raise RecordingError(
                f"{part.strip()!r} is no player: write Ann, or Ann <ann7> with an id"
            )
        found.append(Player(**player))
    return found


def seat_called(players: Sequence[Player], name: str) -> int | None:
    """Return the seat of who has a name or an id, whatever its case; ``None`` for nobody's.

    A name comes before an id, and one with its accents before one without. Of players who share
    it, it is the one whose id is just that. Raises ``RecordingError`` that asks for the id where
    none is.
    """
    for alike, words in (
        (name_key, [each.name or each.id for each in players]),
        (fold, [each.name or each.id for each in players]),
        (name_key, [each.id for each in players]),
    ):
        wanted = alike(name)
        found = [seat for seat, word in enumerate(words) if alike(word) == wanted]
        if len(found) > 1:
            found = [s for s in found if players[s].id == name] or found
        if len(found) > 1:
            ids = " or ".join(players[seat].id for seat in found)
            raise RecordingError(f"{name} is {ids}: type the id")
        if found:
            return found[0]
    return None


def calls(players: Sequence[Player]) -> list[str]:
    """Return what each player can be called by: the name, or the id where others have the name."""
    names = [player.name or player.id for player in players]
    keys = [*map(fold, names)]
    return [
        name if keys.count(key) == 1 else player.id
        for name, key, player in zip(names, keys, players, strict=True)
    ]


def known_people(ids_and_names: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the ids of people by name, those met first in front.

    Of two ids with one name it is the one that the name gives, else the first; two spellings of a
    name that differ in case are one name.
    """
    found: dict[str, tuple[str, str]] = {}
    for player_id, name in ids_and_names:
        key = name_key(name)
        if key not in found:
            found[key] = name, player_id
        elif player_id == id_of_name(name):
            found[key] = found[key][0], player_id
    return dict(found.values())


def person(name: str, known: Mapping[str, str]) -> Player:
    """Return a player by name: with the id that is known for it, else that which the name gives."""
    name = " ".join(name.split())
    by_key = {name_key(each): player_id for each, player_id in known.items()}
    player_id = by_key.get(name_key(name)) or id_of_name(name)
    return Player(id=player_id) if name == player_id else Player(id=player_id, name=name)
