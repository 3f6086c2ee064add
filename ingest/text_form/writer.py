"""Writes hands as text, in the one form that Tricklog writes: the canonical form.

What is read back is the same hand, byte for byte, whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from tricklog.ingest.text_form import languages
from tricklog.ingest.text_form.cards import UNKNOWN, written_card, written_cards
from tricklog.ingest.text_form.deeds import CALLS, LISTS
from tricklog.ingest.text_form.fields import EMPTY
from tricklog.ingest.text_form.finishing import carried
from tricklog.ingest.text_form.folding import fold
from tricklog.ingest.text_form.names import Names, quoted
from tricklog.ingest.text_form.page import (
    COUNTED,
    Turns,
    is_result_alone,
    plays_by_trick,
    turns_under,
    verb_of,
)
from tricklog.ingest.text_form.reader import FIRST_LINE
from tricklog.ingest.text_form.vocabulary import AGAINST, is_printable
from tricklog.schemas.hand import Hand, encode_hand
from tricklog.schemas.player_ids import id_of_name

Record = Mapping[str, Any]

_FREE: Final = re.compile(r"[^\W_][\w.'/:+-]*(?: [\w.'/:+-]+)*")
_KEY: Final = re.compile(r"[\w./:+-]+")
_PLAYER: Final = re.compile(r"[^\W_][\w.'’:-]*(?: [\w.'’:-]+)*")
_HOUSE_RULE: Final = re.compile(r"O[0-9]{2,3}")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SCORES: Final = (("points", "points"), ("change", "change"), ("after", "scores"))
_FOR_ALL: Final = ("status", "stock", "kitty")
_ODD: Final = re.compile(r'[()"“”„«»\\#;]|\s\s|[^\S ]')
_LONG_LINE: Final = 1_000
"""Characters after which calls go on in another line."""


def write_text(hands: Sequence[Hand], *, language: str = "en", names: bool = False) -> str:
    """Return hands as a text.

    Args:
        hands: what to write, in this order.
        language: ``en``, ``sv``, ``fi`` or ``es``: that of the words.
        names: whether every card stands with the name of its player.

    Raises:
        ValueError: there is no such language.
    """
    records = [record_of(hand) for hand in hands]
    writer = TextWriter(language=language, names=names, for_all=shared_by_all(records))
    return "".join(f"{line}\n" for line in (*writer.head(), *writer.lines(records)))


def record_of(hand: Hand) -> Record:
    """Return a hand by the fields of the log, in their canonical order."""
    record: Record = msgspec.json.decode(encode_hand(hand))
    return record


def shared_by_all(records: Sequence[Record]) -> dict[str, str]:
    """Return what all of several hands have alike, so that it is said once."""
    shared: dict[str, str] = {}
    for name in _FOR_ALL if len(records) > 1 else ():
        values = {record.get(name) for record in records}
        value = values.pop()
        if not values and value is not None and (name == "status" or value == ""):
            shared[name] = value
    return shared


class _Words:
    """The words of a language."""

    def __init__(self, language: int) -> None:
        self.language = language
        self.none = languages.NONE[0][language]

    def of(self, rows: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]], meaning: str) -> str:
        """Return the word of a table of words for a meaning."""
        return rows[meaning][0][self.language]

    def keyword(self, keyword: str) -> str:
        """Return what a statement begins with."""
        return self.of(languages.KEYWORDS, keyword)

    def verb(self, verb: str) -> str:
        """Return what a player does."""
        return self.of(languages.VERBS, verb)


class TextWriter:
    """Writes hands one after the other; each takes over what was said before it."""

    def __init__(
        self,
        *,
        language: str = "en",
        names: bool = False,
        for_all: Mapping[str, str] | None = None,
    ) -> None:
        """``for_all``: fields that all hands have alike; see ``write_text`` for the others."""
        if language not in languages.LANGUAGES:
            raise ValueError(f"there is no language {language!r}: {', '.join(languages.LANGUAGES)}")
        self._words = _Words(languages.LANGUAGES.index(language))
        self._word = self._words.keyword
        self._names = names
        self._for_all = dict(for_all or {})
        self._said: dict[str, Any] = {}
        """The settings in force."""
        self._before: Record | None = None

    def head(self) -> Iterator[str]:
        """Return the first line."""
        yield FIRST_LINE

    def lines(self, records: Iterable[Record]) -> Iterator[str]:
        """Return the lines of hands, which follow what was written before."""
        for record in records:
            is_first = not self._said
            settings = list(self._settings(record))
            if is_first:
                yield from settings
                for name, value in self._for_all.items():
                    said = self._status(value) if name == "status" else self._words.none
                    yield f"{self._word('all')} {self._word(name)} {said}"
            elif settings:
                yield from ("", *settings)
            yield ""
            yield from self._hand(record)
            self._before = record

    def _status(self, status: str | None) -> str:
        return "?" if status is None else self._words.of(languages.STATUSES, status)

    # --- Settings

    def _settings(self, record: Record) -> Iterator[str]:
        """Return what changes with a hand, of what holds from there on."""
        if self._changed("rules", record["rules"]):
            yield from self._rules(record["rules"])
        if self._changed("players", record["players"]):
            yield f"{self._word('players')} {', '.join(map(_player, record['players']))}"
        started = record.get("started_at")
        if started is None or _DATE.fullmatch(started):
            is_first = "date" not in self._said
            if self._changed("date", started) and not (is_first and started is None):
                yield f"{self._word('date')} {started or '?'}"
        if self._changed("match", record.get("game")):
            yield f"{self._word('match')} {_free(record.get('game'))}"

    def _changed(self, setting: str, value: object) -> bool:
        """Whether a setting has another value than before, which it has from now on."""
        if setting in self._said and self._said[setting] == value:
            return False
        self._said[setting] = value
        return True

    def _rules(self, rules: Record) -> Iterator[str]:
        version = f" {rules['version']}" if "version" in rules else ""
        yield f"{self._word('game')} {rules['variant']}{version}"
        options = rules.get("options")
        if options == {}:
            yield f"{self._word('option')} {self._words.none}"
        for key, value in sorted((options or {}).items()):
            if key == "house_rules" and _are_numbers(value):
                yield f"{self._word('house')} {' '.join(value)}"
            else:
                yield f"{self._word('option')} {_key(key)} = {quoted(value)}"
        if "definition" in rules:
            yield f"{self._word('definition')} {quoted(rules['definition'])}"

    # --- One hand

    def _hand(self, record: Record) -> Iterator[str]:
        number = record.get("hand", "?")
        yield f"{self._word('hand')} {number}"
        is_numbered = "hand" in record and "game" in record
        if not is_numbered or record["id"] != f"{record['game']}-{number}":
            yield f"{self._word('id')} {_free(record['id'])}"
        names = Names(record["players"])
        dealer = record.get("dealer")
        yield f"{self._word('dealer')} {'?' if dealer is None else names.called(dealer)}"
        turns = turns_under(record["rules"], len(record["players"]))
        if "scores" in record:
            yield f"{self._word('before')} {_numbers(record['scores'])}"
        elif carried(self._before, record.get("game"), record.get("hand"), turns.sides) is not None:
            yield f"{self._word('before')} ?"
        if "remark" in record:
            yield f"{self._word('remark')} {_free(record['remark'])}"
        yield from self._cards(record, names)
        acts = _ActsWriter(record, names, turns, self._words, all_names=self._names)
        yield from acts.lines()
        yield from self._result(record, names, is_marked=acts.is_marked)
        yield from self._end(record)

    def _cards(self, record: Record, names: Names) -> Iterator[str]:
        def listed(cards: str) -> str:
            return written_cards(cards, self._words.language, names.keys)

        for seat, cards in enumerate(record.get("deal", ())):
            yield f"{names.called(seat)} {self._words.verb('has')} {listed(cards)}"
        for name in ("stock", "kitty"):
            if name not in record and name in self._for_all:
                yield f"{self._word(name)} ?"
            elif name in record and self._for_all.get(name) != record[name]:
                yield f"{self._word(name)} {'1?' if record[name] == '?' else listed(record[name])}"

    def _result(self, record: Record, names: Names, *, is_marked: bool) -> Iterator[str]:
        claimed = record.get("claimed", {})
        if "result" in claimed:
            word = languages.BY[self._words.language]
            by = f" {word} {claimed['by']}" if "by" in claimed else ""
            yield (
                f"{self._word('result')} {self._words.of(languages.RESULTS, claimed['result'])}{by}"
            )
        for keyword, name in _SCORES:
            if name in claimed:
                yield f"{self._word(keyword)} {_numbers(claimed[name], signed=name == 'change')}"
        if "winners" in claimed and not is_marked:
            winners = ("?" if seat is None else names.called(seat) for seat in claimed["winners"])
            yield f"{self._word('winners')} {', '.join(winners) or self._words.none}"

    def _end(self, record: Record) -> Iterator[str]:
        if record.get("status") != self._for_all.get("status"):
            yield f"{self._word('status')} {self._status(record.get('status'))}"
        started = record.get("started_at")
        if started is not None and not _DATE.fullmatch(started):
            yield f"{self._word('time')} {started}"
        empty = [name for name in EMPTY if record.get(name) == {}]
        if empty:
            yield f"{self._word('empty')} {' '.join(empty)}"
        for key, value in sorted(record.get("ext", {}).items()):
            yield f"{self._word('ext')} {_key(key)} = {quoted(value)}"


def _are_numbers(value: object) -> bool:
    is_list = isinstance(value, list) and bool(value)
    return is_list and all(isinstance(each, str) and _HOUSE_RULE.fullmatch(each) for each in value)  # type: ignore[attr-defined]


def _free(text: str | None) -> str:
    """Return text to the end of a line, in quotes where it could be misread; ``?`` for none."""
    if text is None:
        return "?"
    return text if _FREE.fullmatch(text) else quoted(text)


def _key(text: str) -> str:
    return text if _KEY.fullmatch(text) else quoted(text)


def _numbers(values: Sequence[int | None], *, signed: bool = False) -> str:
    """Return one number a side."""
    return " ".join(
        "?" if value is None else f"{value:+d}" if signed and value else str(value)
        for value in values
    )


def _player(player: Record) -> str:
    """Return a player as one of the list of players."""
    name, player_id = player.get("name"), player["id"]
    if name is None:
        said = _part(player_id) if id_of_name(player_id) == player_id else f"<{_part(player_id)}>"
    elif id_of_name(name) == player_id and name != player_id:
        said = _part(name)
    else:
        said = f"{_part(name)} <{_part(player_id)}>"
    return f"{said} ({player['kind']})" if "kind" in player else said


def _part(text: str) -> str:
    """Return a name or an id of a player, in quotes where it could be misread."""
    is_plain = bool(_PLAYER.fullmatch(text)) and not AGAINST.intersection(fold(text).split())
    return text if is_plain else quoted(text)


# --- What was done: calls on a line, other acts one by one, a line for each trick


class _ActsWriter:
    """Writes the acts of one hand."""

    def __init__(
        self, record: Record, names: Names, turns: Turns, words: _Words, *, all_names: bool
    ) -> None:
        """``all_names``: whether every card stands with a name."""
        self._record = record
        self._names = names
        self._step = turns.step
        self._words = words
        self._all_names = all_names
        self._actions: list[str] = record["actions"]
        self._notes: Mapping[str, str] = record.get("notes", {})
        self._times: Mapping[str, int] = record.get("times", {})
        self._gaps = {gap["before"]: gap for gap in record.get("gaps", ())}
        tricks = plays_by_trick(self._actions, names.seats, turns.step, self._gaps)
        self._leads = {trick[0] for trick in tricks}
        self._of_trick = {at for trick in tricks for at in trick}
        winners = record.get("claimed", {}).get("winners") or ()
        are_all = not self._gaps and len(winners) == len(tricks) and None not in winners
        ends = [trick[-1] for trick in tricks]
        self._winners = dict(zip(ends, winners, strict=True)) if are_all else {}
        """Who took the trick that ends with an action, if just all tricks are claimed."""
        self._lines: list[str] = []
        self._line = ""
        self._kind = ""
        """What the line is of: ``calls``, ``trick`` or ``other``."""
        self._is_broken = False
        """Whether an act stands between the cards of the trick, so that a name has to follow."""
        self._last_seat = 0

    @property
    def is_marked(self) -> bool:
        """Whether each trick says who took it."""
        return bool(self._winners)

    def lines(self) -> list[str]:
        """Return the lines."""
        if self._record.get("known"):
            self._lines.append(self._contract())
        if self._is_exact():
            self._line, self._kind = self._words.keyword("bids"), "bids"
            if not self._actions or verb_of(self._actions[0]) not in CALLS or 0 in self._gaps:
                self._line += f" {self._words.none}"
                self._flush()
        at = 0
        while at < len(self._actions):
            self._gap(at)
            at = self._act(at)
        self._gap(at)
        self._flush()
        return self._lines

    def _flush(self) -> None:
        if self._line:
            self._lines.append(self._line)
        self._line = self._kind = ""

    def _is_exact(self) -> bool:
        """Whether it has to be said that the calls are all there were, and nothing is left out.

        A reader would fill it in otherwise.
        """
        calls = [at for at, act in enumerate(self._actions) if verb_of(act) in COUNTED]
        is_contract = calls == [0] and verb_of(self._actions[0]) == "bid"
        if is_contract and all(gap["missing"] != "auction" for gap in self._gaps.values()):
            return True
        if self._record.get("known") and not calls and 0 not in self._gaps:
            return True
        has_result = bool(self._record.get("claimed") or self._record.get("known"))
        status = self._record.get("status")
        return not self._gaps and is_result_alone(self._actions, status, has_result=has_result)

    # --- Gaps and the contract

    def _gap(self, at: int) -> None:
        gap = self._gaps.get(at)
        if gap is None:
            return
        self._flush()
        first, last = gap.get("tricks", (0, 0))
        numbers = f" {first}-{last}" if last > first else f" {first}" if first else ""
        self._lines.append(f"... {self._words.of(languages.MISSING, gap['missing'])}{numbers}")
        if (then := gap.get("then")) is not None:
            word = self._words.keyword("then")
            said = list(self._then(then)) or [self._words.none]
            self._lines += [f"{word} {each}" for each in said]

    def _then(self, then: Record) -> Iterator[str]:
        if "winner" in then:
            won = self._words.of(languages.THEN, "won")
            yield f"{self._names.called(then['winner'])} {won}"
        for name, word in (
            ("tricks_won", self._words.of(languages.MISSING, "tricks")),
            ("points", self._words.keyword("points")),
        ):
            if name in then:
                yield f"{word} {_numbers(then[name])}"
        for seat, cards in enumerate(then.get("holdings", ())):
            if cards is not None:
                yield f"{self._names.called(seat)} {self._words.verb('has')} {self._cards(cards)}"
        if "seen" in then:
            yield f"{self._words.of(languages.THEN, 'seen')} {self._cards(then['seen'])}"

    def _contract(self) -> str:
        known = self._record["known"]
        said = [self._words.keyword("contract")]
        if "maker" in known:
            said.append(self._names.called(known["maker"]))
        if "bid" in known:
            said.append(self._words.none if known["bid"] == "none" else str(known["bid"]))
        if "trump" in known:
            said.append(self._trump(known["trump"]))
        said += [self._words.verb(known[name]) for name in ("stake", "alone") if name in known]
        if "pair" in known:
            said += [self._words.verb("pair"), self._names.called(known["pair"])]
        return " ".join(said)

    # --- Acts

    def _act(self, at: int) -> int:
        """Write an action, with a card that is buried under the next one; return what follows."""
        seat, verb, *cards = self._actions[at].split(" ")
        if verb == "bury" and self._is_under_next(at, seat, cards):
            self._play(at + 1, int(seat), "".join(f"/{self._card(card)}" for card in cards))
            return at + 2
        if verb == "play":
            self._play(at, int(seat), "")
        else:
            self._other(at, int(seat), verb, cards)
        return at + 1

    def _is_under_next(self, at: int, seat: str, cards: list[str]) -> bool:
        """Whether buried cards can be written with the card that is played next."""
        if at + 1 >= len(self._actions) or at + 1 in self._gaps:
            return False
        if str(at) in self._times or str(at) in self._notes:
            return False
        following = self._actions[at + 1]
        card = following[7:]
        return following[:7] == f"{seat} play " and (card in UNKNOWN or card not in cards)

    def _play(self, at: int, seat: int, under: str) -> None:
        who = self._names.called(seat)
        card = self._card(self._actions[at].split(" ")[2]) + under
        expected = (self._last_seat + self._step) % self._names.seats
        if at in self._leads or self._kind != "trick":
            self._flush()
            self._line, self._kind = f"{who} {card}", "trick"
        elif self._is_broken or self._all_names or seat != expected:
            self._line += f", {who} {card}"
        else:
            self._line += f" {card}"
        self._last_seat, self._is_broken = seat, False
        self._line += self._marks_of(at)
        if at in self._winners:
            self._line += f" > {self._names.called(self._winners[at])}"

    def _other(self, at: int, seat: int, verb: str, cards: list[str]) -> None:
        deed = cards[0] if verb == "bid" else self._words.verb(verb)
        if verb in {"trump", "reveal"}:
            deed += f" {self._trump(cards[0])}"
        elif verb in LISTS:
            deed += f" {self._cards(' '.join(cards))}"
        said = f"{self._names.called(seat)} {deed}{self._marks_of(at)}"
        if self._kind == "bids":
            self._line += f" {said}"
            self._kind = "calls"
        elif verb in CALLS and self._kind == "calls" and len(self._line) < _LONG_LINE:
            self._line += f", {said}"
        elif self._kind == "trick" and self._goes_on(at):
            self._line += f", {said}"
            self._is_broken = True
        else:
            self._flush()
            self._line, self._kind = said, "calls" if verb in CALLS else "other"

    def _goes_on(self, at: int) -> bool:
        """Whether the trick goes on: no gap and no lead comes before its next card."""
        for later in range(at + 1, len(self._actions)):
            if later in self._gaps:
                return False
            if later in self._of_trick:
                return later not in self._leads
        return False

    def _marks_of(self, at: int) -> str:
        """Return the time of an act, and the remark on it, in quotes where it could be misread."""
        marks = ""
        time = self._times.get(str(at))
        if time is not None:
            seconds, rest = divmod(time, 1000)
            decimals = f".{rest:03}".rstrip("0").rstrip(".")
            marks += f" +{seconds}{decimals}s"
        note = self._notes.get(str(at))
        if note is not None:
            is_plain = bool(note) and note == note.strip() and not _ODD.search(note)
            is_plain = is_plain and all(map(is_printable, note))
            marks += f" ({note if is_plain else quoted(note)})"
        return marks

    def _trump(self, trump: str) -> str:
        suit, _, turned = trump.partition("-")
        rows = languages.SUITS if suit in languages.SUITS else languages.TRUMPS
        word = self._words.of(rows, suit) if suit in rows else suit
        return f"{word} {self._words.of(languages.TRUMPS, 'reversed')}" if turned else word

    def _card(self, card: str) -> str:
        return written_card(card, self._names.keys)

    def _cards(self, cards: str) -> str:
        return written_cards(cards, self._words.language, self._names.keys)
