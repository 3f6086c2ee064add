"""What somebody types while recording, as choices of a draft; and what may be typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from tricklog.core.judging.gaps.totals import have_all_points
from tricklog.core.judging.standing import RESULTS_SAID
from tricklog.core.recording.draft import (
    LEFT_OUT,
    NOT_TOLD,
    PASSED_OVER,
    TOLD,
    Draft,
    RecordingError,
    hand_of,
)
from tricklog.core.recording.finishing import (
    Asked,
    asked_before,
    asked_before_saving,
    exchange_left_out,
    finished,
)
from tricklog.core.recording.moment import Moment, moment_of
from tricklog.core.render.sentences import side_labels
from tricklog.ingest.recording.people import calls, seat_called
from tricklog.ingest.text_form.cards import cards_of, suit_of
from tricklog.ingest.text_form.folding import fold
from tricklog.schemas.actions import TRUMP_CODES, VERB_NAMES, WITH_CARDS, Verb, bid_name, trump_name
from tricklog.schemas.hand import Player
from tricklog.schemas.languages.messages import message, message_in, say, say_in
from tricklog.schemas.render import describe_action, player_labels, trump_said
from tricklog.schemas.words import counted

_VERBS: Final = {name: verb for verb, name in VERB_NAMES.items()}
_COUNT: Final = re.compile(r"[1-9][0-9]?")
ACTION: Final = re.compile(r"[0-6] [a-z]")
"""The beginning of an action as a log has it."""
SAVE: Final = "save"
_OF_A_LINE: Final = ("bid", "trump", "points", "result")
"""What follows the maker in a line of a score pad."""
_FEW: Final = 4
"""Examples of what may be written."""
_LONGEST_NAME: Final = 3
"""Words of a name."""
_FEWEST: Final = 3
"""Words of a hand without cards: who, how much, and points."""
NUMBER: Final = re.compile(r"[+-]?[0-9]{1,4}")


def choice_of(text: str, moment: Moment) -> str:
    """Return the choice that a line stands for: ``7``, ``pass``, ``h``, ``10h``, ``bo play 4h``.

    Who acts may be left out where somebody is waited for. Raises ``RecordingError`` that says what
    may be written.
    """
    words, players = text.split(), moment.hand.players
    seat, rest = _first_called(words, players)
    if seat is None or _is_act(seat, words, rest, players):
        seat, rest = moment.turn, words
    if seat is None:
        speaking = {offer.seat for offer in moment.offers}
        if len(speaking) != 1:
            raise RecordingError(f"begin with who it was: {', '.join(calls(players))}")
        seat = speaking.pop()
    few = offered(moment)
    examples = ", ".join(few[:_FEW]) + (" …" if len(few) > _FEW else "")
    if not rest:
        raise RecordingError(f"say what happened, such as {examples}")
    verb = _VERBS.get(fold(rest[0]))
    choice = _short_form(seat, rest, moment) if verb is None else _with_verb(seat, verb, rest[1:])
    if choice is None:
        raise RecordingError(f"{text!r} is not understood. You may write {examples}")
    return choice


def _first_called(words: Sequence[str], players: Sequence[Player]) -> tuple[int | None, list[str]]:
    """Return the seat of who is named first, by name or id, and the words after that."""
    for size in range(min(_LONGEST_NAME, len(words)), 0, -1):
        seat = seat_called(players, " ".join(words[:size]))
        if seat is not None:
            return seat, [*words[size:]]
    return None, [*words]


def _is_act(
    seat: int, words: Sequence[str], rest: Sequence[str], players: Sequence[Player]
) -> bool:
    """Return whether an id, such as ``7`` or ``h``, is rather what somebody does."""
    said = fold(" ".join(words[: len(words) - len(rest)]))
    if said == fold(players[seat].name or players[seat].id):
        return False
    return not rest or said in _VERBS or cards_of(said) is not None


def _with_verb(seat: int, verb: Verb, rest: Sequence[str]) -> str:
    name = VERB_NAMES[verb]
    if verb in WITH_CARDS:
        return f"{seat} {name} {' '.join(_cards(rest, name))}".rstrip()
    if verb in (Verb.TRUMP, Verb.REVEAL) and len(rest) == 1:
        return f"{seat} {name} {_trump(rest[0])}"
    return " ".join((str(seat), name, *rest))


def _cards(words: Sequence[str], verb: str) -> list[str]:
    """Return the cards that words name; a number stands for so many that nobody saw."""
    if len(words) == 1 and _COUNT.fullmatch(words[0]):
        return ["?"] * int(words[0])
    found: list[str] = []
    for word in words:
        cards = cards_of(word)
        if cards is None:
            raise RecordingError(
                f"{word!r} is not a card: write 10h, ♥10 or KD, ? for one nobody saw; "
                f"or {verb} 3 for three unseen cards"
            )
        found += cards
    return found


def _trump(word: str) -> str:
    return suit_of(fold(word)) or word


def _short_form(seat: int, words: Sequence[str], moment: Moment) -> str | None:
    """Return what is meant by a bid, a suit or a card alone, where just that is due."""
    verbs = {offer.verb for offer in moment.offers if offer.seat == seat}
    word = fold(words[0])
    if len(words) == 1 and Verb.PASS in verbs and word == "p":
        return f"{seat} pass"
    if len(words) == 1 and Verb.TRUMP in verbs:
        return f"{seat} trump {_trump(words[0])}"
    if len(words) == 1 and moment.phase == "auction" and word[:1].isdigit():
        return f"{seat} bid {words[0]}"
    cards = [cards_of(each) for each in words]
    if all(each is not None for each in cards):
        named = [card for each in cards if each for card in each]
        due = sorted(verbs & WITH_CARDS, key=lambda verb: verb != Verb.PLAY)
        if due and (due[0] != Verb.PLAY or len(named) == 1):
            return f"{seat} {VERB_NAMES[due[0]]} {' '.join(named)}"
    return None


def offered(moment: Moment) -> list[str]:
    """Return what may be written now, each as it is typed."""
    listed: list[str] = []
    names = calls(moment.hand.players)
    for offer in moment.offers:
        who = "" if offer.seat == moment.turn else f"{names[offer.seat]} "
        name = VERB_NAMES[offer.verb]
        if offer.verb == Verb.BID:
            listed += [f"{who}{bid_name(bid)}" for bid in offer.bids]
        elif offer.verb == Verb.TRUMP:
            listed += [f"{who}{name} {trump_name(code)}" for code in offer.trumps]
        elif offer.verb in WITH_CARDS:
            listed.append(f"{who}{name} {'CARD' if offer.most == 1 else 'CARDS'}")
        else:
            listed.append(f"{who}{name}")
    return listed


def deal_of(text: str, draft: Draft) -> str:
    """Return the choice of the cards that a player was dealt: ``Ann 10h KD``.

    Raises ``RecordingError`` that says what is missing.
    """
    seat, cards = _first_called(text.split(), draft.players)
    if seat is None:
        raise RecordingError(f"say whose cards they are: deal {calls(draft.players)[0]} 10h KD …")
    return f"deal {seat} {' '.join(_cards(cards, 'draw'))}".rstrip()


# --- A hand without cards


def quick_choices(text: str, draft: Draft) -> list[str]:
    """Return the choices that a line of a score pad stands for: ``cy 9 d 8 6``.

    Who bid, how much, what was trumps where anybody knows, and the points each side took, the
    makers' first and the others round the table; of two sides theirs alone will do where the others
    have the rest, and ``made`` or ``set`` where points do not tell. Raises ``RecordingError`` that
    says what is missing.
    """
    words = text.split()
    if len(words) == 1 and fold(words[0]) == "passed":
        return ["thrown-in"]
    seat, words = _first_called(words, draft.players)
    if seat is None or len(words) < _FEWEST - 1:
        listed = ", ".join(calls(draft.players))
        raise RecordingError(
            f"write who bid, how much, trumps if you know them, and the points, the makers' first: "
            f"{listed.partition(',')[0]} 8 h 9 5. The players are {listed}"
        )
    bid, *rest = words
    result = [f"result {fold(rest.pop())}"] if rest and fold(rest[-1]) in ("made", "set") else []
    chosen = [f"maker {seat}", f"bid {bid}"]
    if rest and not NUMBER.fullmatch(rest[0]):
        chosen.append(f"trump {_trump(rest.pop(0))}")
    return [*chosen, *_points(rest, seat, draft), *result]


def _points(words: Sequence[str], maker: int, draft: Draft) -> list[str]:
    ruleset = draft.ruleset()
    rules = ruleset.rules(len(draft.players))
    sides, most = rules.side_count, rules.all_points
    wanted = (
        f"give the points of {counted(sides, 'side')}, the makers' first, and then round the table"
    )
    if not words or len(words) > sides:
        raise RecordingError(wanted)
    numbers = []
    for word in words:
        if not NUMBER.fullmatch(word) or not 0 <= int(word) <= most:
            raise RecordingError(
                f"{word!r} cannot be the points of a side: a hand has {most}, so write a number "
                f"from 0 to {most}"
            )
        numbers.append(int(word))
    if len(numbers) == 1 and sides == 2:  # noqa: PLR2004 - the makers and the others
        if not have_all_points(rules):
            raise RecordingError(
                "give the points of both sides, the makers' first: in this game some may stay out "
                "of play"
            )
        numbers.append(most - numbers[0])
    if len(numbers) < sides:
        raise RecordingError(wanted)
    first = ruleset.side_of(maker)
    order = [(first + step) % sides for step in range(sides)]
    return [f"points {side} {number}" for side, number in zip(order, numbers, strict=True)]


# --- What was typed or tapped, and what it is asked about


def choices_of(said: str, draft: Draft) -> list[str]:
    """Return the choices that a line or a tap stands for.

    Raises ``RecordingError`` for what is not understood.
    """
    word, _, rest = said.partition(" ")
    told = draft.told()
    if word == "trump":
        named = rest.strip()
        if named != NOT_TOLD and not told.is_quick and not told.stops:
            # Somebody names them where that is due.
            moment = moment_of(draft)
            if any(offer.verb == Verb.TRUMP for offer in moment.offers):
                return [choice_of(said, moment)]
        return [f"trump {_trump(named)}"]
    if word in TOLD or word == LEFT_OUT or ACTION.match(said):
        return [said]
    return quick_choices(said, draft) if told.is_quick else [choice_of(said, moment_of(draft))]


def asked_about(said: str, draft: Draft) -> Asked | None:
    """Return what has to be asked about what was typed or tapped; ``None`` for nothing.

    Raises ``RecordingError`` for what cannot be taken down.
    """
    if said == SAVE:
        return asked_before_saving(finished(draft))
    choices = choices_of(said, draft)
    return asked_before(exchange_left_out(draft, choices), choices)


def taken_back(draft: Draft) -> tuple[Draft, list[str]]:
    """Return a draft without what was said last, and what that was: a line of a score pad whole."""
    before = draft.choices
    start = len(before)
    while start and _word(before[start - 1]) in _OF_A_LINE:
        start -= 1
    is_line = start > 0 and _word(before[start - 1]) == "maker"
    for _ in range(len(before) - start + 1 if is_line else 1):
        draft = draft.undo()
    return draft, [*before[len(draft.choices) :]]


def made_again(draft: Draft) -> Draft:
    """Return a draft with that again which was taken back last."""
    draft = draft.redo()
    is_line = bool(draft.choices) and _word(draft.choices[-1]) == "maker"
    while is_line and draft.undone and _word(draft.undone[0]) in _OF_A_LINE:
        draft = draft.redo()
    return draft


def _word(choice: str) -> str:
    return choice.partition(" ")[0]


def words_of(choice: str, draft: Draft) -> str:
    """Return what a choice says: ``bid 9``, ``8 points of Ann & Cy``, ``Ann bids 9``."""
    word, _, rest = choice.partition(" ")
    if word in TOLD and rest.endswith(NOT_TOLD):
        return str(_TAKEN_BACK[word])
    if found := _PLAIN.get(choice) or _PLAIN.get(word):
        return str(found)
    if word not in TOLD:
        return describe_action(choice, player_labels(hand_of(draft)))
    if word == "trump":
        return say("trumps {trump}", trump=trump_said(TRUMP_CODES[rest]))
    if word == "bid":
        return say_in("what is recorded", "bid {bid}", bid=rest)
    first, *others = rest.split()
    if word in ("points", "change"):
        values = {"number": others[0], "side": side_labels(finished(draft).replayed)[int(first)]}
        if word == "points":
            return say("{number} points of {side}", **values)
        return say("{number} in the score of {side}", **values)
    name = player_labels(hand_of(draft))[int(first)]
    if word == "deal":
        return say("cards dealt to {player}", player=name)
    if word == "pair":
        return say_in("what is recorded", "pair {player}", player=name)
    return say_in("what is recorded", "maker {player}", player=name)


def listed(choices: Iterable[str], draft: Draft) -> str:
    """Return what several choices say, with commas."""
    return ", ".join(words_of(choice, draft) for choice in choices)


_PLAIN: Final = {
    PASSED_OVER: message("nothing more here"),
    f"{LEFT_OUT} trumps": message("trumps not noted"),
    f"{LEFT_OUT} exchange": message("exchange not noted"),
    f"{LEFT_OUT} tricks": message("tricks not noted"),
    "quick": message("without cards"),
    "cards": message("every card"),
    "thrown-in": message_in("what is recorded", "thrown in"),
    "rest": message("rest not noted"),
    "kitty": message("cards of the kitty"),
    "stock": message("cards of the stock"),
    "remark": message_in("what is recorded", "remark"),
    "stake double": message_in("what is recorded", "stake double"),
    "stake redouble": message_in("what is recorded", "stake redouble"),
    "stake super": message_in("what is recorded", "stake super"),
    "alone solo": message_in("what is recorded", "alone solo"),
    "alone tenny": message_in("what is recorded", "alone tenny"),
    "result made": RESULTS_SAID["made"],
    "result set": RESULTS_SAID["set"],
}
"""What a choice says, or every choice that begins with a word."""
_TAKEN_BACK: Final = {
    "thrown-in": message("no thrown in"),
    "rest": message("no rest not noted"),
    "kitty": message("no cards of the kitty"),
    "stock": message("no cards of the stock"),
    "remark": message("no remark"),
    "maker": message("no maker"),
    "bid": message_in("what is recorded", "no bid"),
    "trump": message("no trump"),
    "stake": message("no stake"),
    "alone": message("no alone"),
    "pair": message("no pair"),
    "points": message("no points"),
    "change": message("no change"),
    "result": message("no result"),
}
