"""What the recorder shows: every word and key of it, made of the evening as it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tricklog.core.engine.policies import Pair, Solo
from tricklog.core.engine.rules.auction import trumps_to_show
from tricklog.core.engine.rules.table import named_trump
from tricklog.core.judging.gaps.totals import have_all_points
from tricklog.core.judging.standing import RESULTS_SAID
from tricklog.core.recording.draft import LEFT_OUT, NOT_TOLD, PASSED_OVER, Draft, Told
from tricklog.core.recording.evening import Evening, first_to_call
from tricklog.core.recording.finishing import (
    Finished,
    finished,
    may_be_thrown_in,
    may_hide_result,
)
from tricklog.core.recording.moment import Moment, Offer, moment_of
from tricklog.core.render.sentences import result_text, side_labels, verdict_text
from tricklog.dashboard.text.labels import value_words
from tricklog.ingest.recording.words import words_of
from tricklog.schemas.actions import (
    BID_28_56,
    BID_DOUBLE,
    TRUMP_HIDDEN,
    VERB_NAMES,
    WITH_CARDS,
    Verb,
    bid_name,
    trump_name,
)
from tricklog.schemas.cards import JOKER, SUITS, card_name, cards_in
from tricklog.schemas.languages.messages import (
    mark,
    message_in,
    message_of,
    say,
    say_counted,
    say_in,
)
from tricklog.schemas.limits import MAX_NOTE
from tricklog.schemas.render import (
    card_words,
    describe_action,
    player_labels,
    rank_text,
    trump_sign,
    trump_words,
)

Block = dict[str, Any]
"""What the recorder shows is made of these; ``recorder.js`` draws each by its ``kind``."""
_MOST_CHANGE: Final = 999
"""What a score changes by at the most, in a field of the page."""
_MANY_BIDS: Final = 24
_EXCHANGES: Final = {
    Verb.DISCARD: mark("{player} laid off"),
    Verb.DISCARD_UP: mark("{player} laid off, shown"),
    Verb.DRAW: mark("{player} drew"),
    Verb.ROB: mark("{player} took from the stock"),
    Verb.KITTY: mark("{player} took the kitty"),
    Verb.GIVE: mark("{player} gave to the partner"),
    Verb.BURY: mark("{player} buried"),
    Verb.SHOW: mark("{player} showed"),
    Verb.CLAIM: mark("{player} claimed"),
}
"""What keys say that open the pack."""
_DEEDS: Final = {
    Verb.PASS: message_in("a key for what a player does", "pass"),
    Verb.DITTO: message_in("a key for what a player does", "ditto"),
    Verb.TENNY: message_in("a key for what a player does", "tenny"),
    Verb.DOUBLE: message_in("a key for what a player does", "double"),
    Verb.REDOUBLE: message_in("a key for what a player does", "redouble"),
    Verb.SUPER: message_in("a key for what a player does", "super"),
    Verb.SOLO: message_in("a key for what a player does", "solo"),
    Verb.CONCEDE: message_in("a key for what a player does", "concede"),
    Verb.DECIDED: message_in("a key for what a player does", "decided"),
    Verb.OUT: message_in("a key for what a player does", "is out"),
    Verb.THROW_IN: message_in("a key for what a player does", "throws the deal in"),
    Verb.ASK: message_in("a key for what a player does", "asks for the trump"),
    Verb.PAIR: message_in("a key for what a player does", "declares the pair"),
    Verb.FOLD: message_in("a key for what a player does", "folds"),
}


def screen_of(evening: Evening) -> dict[str, Any]:
    """Return what the component shows of an evening."""
    draft = evening.draft
    told, ended = draft.told(), finished(draft)
    title = ended.replayed.ruleset.title
    if evening.mended >= 0:
        title = say("{game}, hand {number} again", game=title, number=evening.mended + 1)
    dealer = _dealer_words(draft, ended)
    scores = _score_words(ended, draft.scores)
    return {
        "head": say("Hand {number}", number=draft.number),
        "save": say("Save hand {number}", number=draft.number),
        "sub": title,
        "scores": scores,
        "dealer": dealer,
        "blocks": _quick(told, ended) if told.is_quick else _cards(draft, told, ended),
        "undo": "" if draft.is_empty else words_of(draft.choices[-1], draft),
        "pad": {
            **_hands(evening),
            "sides": side_labels(ended.replayed),
            "scores": scores,
            "next": say("Hand {number}: {dealer}.", number=draft.number, dealer=dealer),
            "button": say("Hand {number}", number=draft.number),
        },
    }


def _score_words(ended: Finished, scores: Sequence[int | None]) -> list[list[str]]:
    labels = side_labels(ended.replayed)
    values = scores or [None] * len(labels)
    return [
        [label, "?" if score is None else str(score)]
        for label, score in zip(labels, values, strict=True)
    ]


def _dealer_words(draft: Draft, ended: Finished) -> str:
    names, first = player_labels(ended.hand), first_to_call(draft)
    dealer = names[draft.dealer]
    if first is None:
        return say("{player} deals", player=dealer)
    return say("{player} deals, {first} bids first", player=dealer, first=names[first])


# --- Keys and fields


def _keys_of(title: str, keys: Sequence[Block], note: str = "") -> Block:
    return {"kind": "keys", "title": title, "note": note, "keys": list(keys)}


def _key_of(label: str, tap: str, **more: int | None) -> Block:
    """Return a key: ``more`` says whether it is ``chosen`` or ``grey``, and has its ``suit``."""
    return {"label": label, "tap": tap, **more}


def _choice_of(
    label: str, word: str, value: str | int, known: Mapping[str, Any], **more: int | None
) -> Block:
    """Return the key for something that may be left out: a second tap takes it back."""
    chosen = known.get(word) == value
    return _key_of(label, f"{word} {NOT_TOLD if chosen else value}", chosen=chosen, **more)


def _codes_in(trumps: int) -> list[int]:
    return [code for code in range(trumps.bit_length()) if trumps >> code & 1]


def _numbers_of(ended: Finished, values: Mapping[int, int], **block: str | int | None) -> Block:
    """Return a field for each side, with ``values`` by side; ``all`` is what they have together."""
    rows = [
        {"side": side, "name": name, "value": values.get(side)}
        for side, name in enumerate(side_labels(ended.replayed))
    ]
    return {"kind": "numbers", "rows": rows, "all": None, **block}


def _points_of(ended: Finished, points: Mapping[int, int]) -> Block:
    """Return the fields for the points each side took; the rest is the others', where it must be.

    Where points may stay out of play nothing is known of the others.
    """
    rules = ended.replayed.rules
    fills = rules.side_count == 2 and have_all_points(rules)  # noqa: PLR2004 - the makers and the others
    most = rules.all_points
    return _numbers_of(
        ended,
        points,
        word="points",
        title=say("Points taken"),
        note=say("together {points}", points=most)
        if fills
        else say("at most {points}", points=most),
        least=0,
        most=most,
        all=most if fills else None,
        wrong=say("A hand has {points} points: write a number from 0 to {points}.", points=most),
    )


def _counted(told: Told, ended: Finished) -> list[Block]:
    """Return the fields for points, and keys for the result where points may leave it open."""
    points = _points_of(ended, told.points)
    if ended.replayed.outcome or not may_hide_result(ended.replayed.rules):
        return [points]
    known = {"result": told.result}
    keys = [
        _choice_of(str(RESULTS_SAID[result]).capitalize(), "result", result, known)
        for result in ("made", "set")
    ]
    return [points, _keys_of(say("Made or set?"), keys)]


def _more_of(told: Told, ended: Finished) -> Block:
    """Return what is seldom written down: playing alone, a pair, the score, a remark, a trick."""
    rules, known = ended.replayed.rules, told.known
    blocks = []
    alone = [_choice_of(say("Solo"), "alone", "solo", known)] if rules.solo != Solo.NONE else []
    alone += [_choice_of(say("Tenny"), "alone", "tenny", known)] if rules.tenny else []
    if alone:
        blocks.append(_keys_of(say("Played alone"), alone))
    if rules.pair != Pair.NONE:
        names = enumerate(player_labels(ended.hand))
        keys = [_choice_of(name, "pair", seat, known) for seat, name in names]
        title = say("King and queen of trumps")
        blocks.append(_keys_of(title, keys, note=say("who declared them")))
    change = _numbers_of(
        ended,
        told.change,
        word="change",
        title=say("Added to the score"),
        note=say("if it was counted otherwise"),
        least=-_MOST_CHANGE,
        most=_MOST_CHANGE,
        wrong=say("Write a whole number from −{most} to {most}.", most=_MOST_CHANGE),
    )
    remark = say_in("a heading", "Remark")
    blocks += [change, {"kind": "remark", "title": remark, "value": told.remark, "most": MAX_NOTE}]
    if told.is_quick and "maker" in known:
        blocks.append(_keys_of("", [_key_of(say("Write down a trick"), "trick")]))
    is_used = bool(told.change or told.remark or {"alone", "pair"} & known.keys())
    title = say("More about this hand")
    return {"kind": "more", "title": title, "blocks": blocks, "open": is_used}


def _result(ended: Finished) -> list[Block]:
    lines = result_text(ended.replayed)
    if not lines:
        return []
    findings = [str(finding.said) for finding in ended.replayed.findings]
    return [
        {
            "kind": "result",
            "tone": "bad" if findings else "set" if ended.outcome.result == "set" else "good",
            "title": lines[0],
            "lines": lines[1:],
            "audit": say("Audit: {verdict}", verdict=verdict_text(ended.replayed)),
            "findings": findings,
        }
    ]


# --- Without cards


def _quick(told: Told, ended: Finished) -> list[Block]:
    rules, known = ended.replayed.rules, told.known
    makers = [
        _key_of(name, f"maker {seat}", chosen=known.get("maker") == seat)
        for seat, name in enumerate(player_labels(ended.hand))
    ]
    bids = [str(n) for n in range(rules.min_bid, rules.max_bid + 1)]
    bids += [bid_name(BID_28_56)] if rules.special_bid else []
    bids += [bid_name(BID_DOUBLE + rules.max_bid)] if rules.top_bid else []
    trumps = [
        _choice_of(trump_sign(code), "trump", trump_name(code), known, suit=code)
        for code in _codes_in(trumps_to_show(rules))
    ]
    stakes = {"double": say_in("a key", "Doubled"), "redouble": say_in("a key", "Redoubled")}
    raised = [_choice_of(label, "stake", stake, known) for stake, label in stakes.items()]
    ways = [_key_of(say("Every card"), "cards")]
    if told.is_thrown_in or may_be_thrown_in(rules):
        tap = "thrown-in -" if told.is_thrown_in else "thrown-in"
        ways.insert(0, _key_of(say_in("a key", "Thrown in"), tap, chosen=told.is_thrown_in))
    return [
        _keys_of(say("Who bid?"), makers),
        _keys_of(
            say("How much?"),
            [_key_of(bid, f"bid {bid}", chosen=str(known.get("bid")) == bid) for bid in bids],
        ),
        _keys_of(say_in("a heading", "Trumps"), trumps, note=say("may be left out")),
        *([_keys_of(say("Stake"), raised, note=say("if it was raised"))] if rules.doubling else []),
        *_counted(told, ended),
        *_result(ended),
        _more_of(told, ended),
        _keys_of("", ways),
    ]


# --- With cards


def _cards(draft: Draft, told: Told, ended: Finished) -> list[Block]:
    moment = moment_of(draft)
    names = player_labels(moment.hand)
    blocks: list[Block] = []
    if moment.trick:
        plays = [[names[seat], card_name(card)] for seat, card in moment.trick]
        blocks.append({"kind": "trick", "plays": plays})
    if moment.is_over or moment.is_broken or told.stops:
        counted = _counted(told, ended) if told.points or None in ended.points else []
        blocks += [*_calls(moment), *counted, *_result(ended), _more_of(told, ended)]
        if moment.rules.packet == moment.rules.dealt and moment.state.trick:
            blocks.append(_keys_of("", [_key_of(say("Enter the deals from the tricks"), "deals")]))
        return blocks
    if moment.phase == "auction":
        blocks += _calls(moment)
    lead = say("Anybody may act")
    if moment.turn is not None:
        lead = say("{player} is next", player=names[moment.turn])
    blocks.append({"kind": "lead", "text": lead})
    # Below a long list of bids nobody would find the pass.
    has_many = moment.rules.max_bid - moment.rules.min_bid >= _MANY_BIDS
    plain = sorted(
        (offer for offer in moment.offers if offer.verb not in WITH_CARDS),
        key=lambda offer: has_many and offer.verb == Verb.BID,
    )
    blocks += [_plain_offer(offer, moment, names) for offer in plain]
    left_out = told.deeds[-1] if told.deeds else ""
    exchange = [
        {
            "label": str(message_of(_EXCHANGES[offer.verb], {"player": names[offer.seat]})),
            "prefix": f"{offer.seat} {VERB_NAMES[offer.verb]}",
            "one": offer.most == 1,
        }
        for offer in moment.offers
        if offer.verb in _EXCHANGES and left_out != f"{LEFT_OUT} exchange"
    ]
    # Keys for who led a trick before which others are not recorded.
    leads = [
        {"label": say("{player} led", player=name), "prefix": f"{seat} play", "one": True}
        for seat, name in enumerate(names)
        if left_out == f"{LEFT_OUT} tricks"
    ]
    # Each of these opens the pack.
    blocks += [
        {"kind": "exchange", "choices": choices, "suits": _suits(moment, moment.rules.pack)}
        for choices in (exchange, leads)
        if choices
    ]
    offer = next((each for each in moment.offers if each.verb == Verb.PLAY), None)
    if offer and not leads:
        title = say_in("a heading", "{player} plays", player=names[offer.seat])
        suits = _suits(moment, offer.cards)
        prefix = f"{offer.seat} play"
        blocks.append({"kind": "pack", "title": title, "prefix": prefix, "suits": suits})
    ways = (
        (moment.may_pass_over, say("Nothing more here"), PASSED_OVER),
        (exchange and not moment.hand.gaps, say("Exchange not noted"), f"{LEFT_OUT} exchange"),
        (moment.hand.actions, say("Rest not noted"), "rest"),
        (True, say("Without cards"), "quick"),
    )
    keys = [_key_of(label, tap) for is_there, label, tap in ways if is_there]
    return [*blocks, _keys_of("", keys)]


def _calls(moment: Moment) -> list[Block]:
    names = player_labels(moment.hand)
    rows = [
        describe_action(text, names)
        for text in moment.hand.actions
        if text.split(" ")[1] in ("bid", "pass", "ditto", "tenny")
    ]
    return [{"kind": "rows", "rows": rows[-2 * moment.rules.seats :]}] if rows else []


def _plain_offer(offer: Offer, moment: Moment, names: Sequence[str]) -> Block:
    who, seat = names[offer.seat], offer.seat
    if offer.verb == Verb.BID:
        return _bids(offer, moment)
    if offer.verb == Verb.TRUMP:
        keys = _trump_keys(offer.trumps, f"{seat} trump")
        return _keys_of(say("{player} names trumps", player=who), keys)
    if offer.verb == Verb.REVEAL:
        keys = _trump_keys(_codes_in(trumps_to_show(moment.rules)), f"{seat} reveal")
        return _keys_of(say("{player} shows the trump", player=who), keys)
    words = str(_DEEDS[offer.verb])
    label = words.capitalize() if seat == moment.turn else f"{who}: {words}"
    return _keys_of("", [_key_of(label, f"{seat} {VERB_NAMES[offer.verb]}")])


def _trump_keys(codes: Sequence[int], prefix: str) -> list[Block]:
    # The sign for hidden trumps is that of a card nobody sees.
    hidden = {TRUMP_HIDDEN: trump_words(TRUMP_HIDDEN).capitalize()}
    return [
        _key_of(hidden.get(code) or trump_sign(code), f"{prefix} {trump_name(code)}", suit=code)
        for code in codes
    ]


def _bids(offer: Offer, moment: Moment) -> Block:
    rules = moment.rules
    every = range(rules.min_bid, rules.max_bid + 1)
    special = [bid for bid in offer.bids if bid > rules.max_bid]
    keys = [
        _key_of(bid_name(bid), f"{offer.seat} bid {bid_name(bid)}", grey=bid not in offer.bids)
        for bid in (*every, *special)
    ]
    return _keys_of("", keys, note=say("Grey is not allowed; if it was said, tap it all the same."))


def _suits(moment: Moment, offered: int) -> list[Block]:
    """Return the keys of the pack by suit, trumps first and with all that belongs to them."""
    rules, gone, trump = moment.rules, moment.gone, named_trump(moment.state)
    has_trumps = 0 <= trump < len(SUITS)
    taken = rules.trump_cards[trump] if has_trumps else 0
    groups = [(say_in("a suit on the keys", "trumps"), taken)]
    groups += [
        (trump_words(suit), rules.pack & sum(1 << 13 * suit + rank for rank in range(13)) & ~taken)
        for suit in range(len(SUITS))
        if suit != trump
    ]
    groups.append((say_in("a suit on the keys", "joker"), rules.pack & ~taken & 1 << JOKER))
    return [
        {
            "name": name,
            "trumps": has_trumps and not place,
            "keys": [
                {
                    "card": card_name(card),
                    "said": _key_said(card, name),
                    "gone": bool(gone >> card & 1),
                    "odd": not offered >> card & 1,
                }
                for card in cards_in(cards)
            ],
        }
        for place, (name, cards) in enumerate(groups)
        if cards
    ]


def _key_said(card: int, suit: str) -> str:
    """Return what a key of the pack says aloud: ``10 of trumps``, ``joker``."""
    if card == JOKER:
        return card_words(card)
    return say("{rank} of {suit}", rank=rank_text(card), suit=suit)


# --- The score pad


def _hands(evening: Evening) -> Block:
    hands = evening.hands()
    count, bad = len(hands), sum(bool(ended.replayed.findings) for ended in hands)
    audited = say_counted(
        "{count} hand audited, in order", "{count} hands audited, in order", count
    )
    if bad:
        audited = say_counted(
            "{count} hand audited, {bad} with findings",
            "{count} hands audited, {bad} with findings",
            count,
            bad=bad,
        )
    rows = [_pad_row(index, ended, evening) for index, ended in enumerate(hands)]
    return {"rows": rows, "audit": audited if hands else ""}


def _pad_row(index: int, ended: Finished, evening: Evening) -> Block:
    names, outcome = player_labels(ended.hand), ended.outcome
    what = say_in("a row of the score pad", "no bid")
    if outcome.maker is not None:
        bid = "" if outcome.bid is None else f" {bid_name(outcome.bid)}"
        what = f"{names[outcome.maker]}{bid}"
    dealt = say("{player} dealt", player=names[ended.hand.dealt_by])
    result = say_in("the result of a hand", "not known")
    if outcome.result is not None:
        result = value_words("result", outcome.result)
    return {
        "number": ended.hand.hand,
        "what": what,
        "trump": "" if outcome.trump is None else trump_sign(outcome.trump),
        "suit": outcome.trump,
        "result": f"{result} · {dealt}",
        "change": list(ended.change),
        "scores": list(ended.scores),
        "findings": [str(finding.said) for finding in ended.replayed.findings],
        "mend": f"mend {index}" if index >= evening.written and evening.mended < 0 else "",
    }
