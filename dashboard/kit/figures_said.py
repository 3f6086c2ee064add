"""What is said of figures: what they are made of and leave out, and which of them are shown."""

from __future__ import annotations

from collections.abc import Mapping

from tricklog.core import Verdict
from tricklog.core.render.sentences import hands_with_verdict
from tricklog.ingest.metrics import DIMENSION, wording
from tricklog.ingest.metrics.intervals import FEWEST_GAMES, FEWEST_GAMES_OF_AMOUNTS
from tricklog.schemas.languages.messages import say, say_counted
from tricklog.schemas.languages.numbers import number


def made_from(counts: Mapping[str, int], *, every_verdict: bool) -> str:
    """Return what figures are made of; ``counts`` are hands by their verdict."""
    others = {Verdict(each): count for each, count in counts.items() if each != Verdict.VALID}
    valid = counts.get(Verdict.VALID, 0)
    if every_verdict:
        return _made_from_all(valid + sum(others.values()), _hands_by_verdict(others))
    gaps = others.pop(Verdict.PARTIAL, 0)
    hands = say_counted("{count} valid hand", "{count} valid hands", valid)
    told = [say("Made from {hands}.", hands=hands)]
    if others:
        told.append(say("Left out: {parts}.", parts=_hands_by_verdict(others)))
    if gaps:
        told.append(_with_gaps(gaps))
    return " ".join(told)


def _hands_by_verdict(counts: Mapping[Verdict, int]) -> str:
    return ", ".join(str(hands_with_verdict(*each)) for each in counts.items())


def _made_from_all(count: int, parts: str) -> str:
    hands = say_counted("{count} hand", "{count} hands", count)
    if parts:
        return say("Made from {hands}, of which {parts}.", hands=hands, parts=parts)
    return say("Made from {hands}, all in order.", hands=hands)


def _with_gaps(count: int) -> str:
    return say_counted(
        "{count} record with gaps count where no cards are needed, and are left out elsewhere.",
        "{count} records with gaps count where no cards are needed, and are left out elsewhere.",
        count,
    )


def pale_where_few(minimum: int) -> str:
    """Return when points are pale; ``minimum`` is the number of cases that a figure takes."""
    return say(
        "Points are pale where there is too little to say much: n below {minimum}, or fewer than "
        "{games} games ({more} for amounts).",
        minimum=minimum,
        games=FEWEST_GAMES,
        more=FEWEST_GAMES_OF_AMOUNTS,
    )


def games_made_from(counts: Mapping[str, int], *, every_verdict: bool) -> str:
    """Return how many games are counted and left out, from ``listings.games_left_out``."""
    text = say("Games: {number} complete, every hand in order.", number=number(counts["valid"]))
    if every_verdict:
        whole = counts["valid"] + counts["irregular"]
        text = say("Games: {number} complete.", number=number(whole))
    left = []
    if counts["irregular"] and not every_verdict:
        left.append(
            say("{number} with a hand that is not in order", number=number(counts["irregular"]))
        )
    if counts["incomplete"]:
        left.append(say("{number} not complete", number=number(counts["incomplete"])))
    said = [text, say("Left out: {parts}.", parts=", ".join(left))] if left else [text]
    return " ".join(said)


def tables_together(variants: str) -> str:
    """Return that tables of different kinds are taken together in some variants."""
    return say(
        "Tables of different kinds are taken together in {variants}: this figure means something "
        "else where five play than where two sides do. Choose a {dimension} under More filters.",
        variants=variants,
        dimension=wording.title(DIMENSION["seating"]),
    )


def most_cases(shown: int, found: int) -> str:
    """Return that only the categories with the most cases are shown."""
    return say("The {shown} of {number} with the most cases.", shown=shown, number=number(found))


def charts_with_most_cases(shown: int, found: int) -> str:
    """Return that only the tables with the most cases have a chart."""
    return say(
        "The {shown} of {number} with the most cases. Choose a variant above to see the others.",
        shown=shown,
        number=number(found),
    )


def series_with_most_cases(shown: int, dimension: str) -> str:
    """Return that only the colours with the most cases are shown."""
    return say(
        "The {shown} values of “{dimension}” with the most cases.",
        shown=shown,
        dimension=wording.title(DIMENSION[dimension]),
    )


def latest(shown: int, found: int, *, days: bool) -> str:
    """Return that only the latest categories are shown; of days, what shows more."""
    said = say("The latest {shown} of {number}.", shown=shown, number=number(found))
    return f"{said} {say('Choose weeks or months to see more.')}" if days else said
