"""Any hand the types allow, for property tests; what it says need not make sense."""

from typing import Any, get_args

from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from tricklog.schemas import actions
from tricklog.schemas import hand as log
from tricklog.schemas.cards import CARD_NAMES


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.just(UNSET), values)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NAMES = TEXT.filter(bool)
CARDS = st.lists(st.sampled_from([*CARD_NAMES, "?", "*"]), max_size=13).map(" ".join)
PER_SIDE = st.lists(st.integers(-200, 200), min_size=2, max_size=7)
PLAIN = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
)


def json_of(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Any JSON, in which also such values are, however deep."""
    return st.recursive(
        PLAIN | values,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
        max_leaves=8,
    )


JSON = json_of(st.nothing())
OBJECTS = st.dictionaries(TEXT, JSON, max_size=3)
OPTIONS = st.dictionaries(
    TEXT,
    st.booleans()
    | st.integers()
    | TEXT
    | st.lists(st.integers() | TEXT, max_size=3)
    | st.dictionaries(TEXT, st.integers(), max_size=3),
    max_size=4,
)


@st.composite
def action_texts(draw: st.DrawFn) -> str:
    verb = draw(st.sampled_from(list(actions.Verb)))
    amount = 0
    cards: list[int] = []
    if verb in actions.TAKES_BID:
        amount = draw(
            st.integers(1, 999)
            | st.sampled_from([actions.BID_28_56, actions.BID_DOUBLE + 1, actions.BID_DOUBLE + 83])
        )
    elif verb in actions.TAKES_TRUMP:
        codes = actions.TRUMP_CODES if verb == actions.Verb.TRUMP else actions.SHOWN_TRUMPS
        amount = draw(st.sampled_from(list(codes.values())))
    elif verb in actions.TAKES_CARDS | actions.TAKES_ONE_CARD | actions.TAKES_TWO_CARDS:
        most = 1 if verb in actions.TAKES_ONE_CARD else 2 if verb in actions.TAKES_TWO_CARDS else 9
        known = st.lists(st.integers(0, 52), min_size=1, max_size=most, unique=True)
        unknown = st.lists(st.integers(-2, -1), min_size=1, max_size=most)
        cards = draw(known | unknown)
    return actions.format_action(draw(st.integers(0, 6)), verb, amount, cards)


ACTION_KEYS = st.integers(0, 999).map(str)
HANDS = st.builds(
    log.Hand,
    format=st.just(log.FORMAT),
    id=NAMES,
    game=maybe(NAMES),
    hand=maybe(st.integers(1, 99)),
    rules=st.builds(
        log.RulesRef,
        variant=st.from_regex(r"[a-z0-9][a-z0-9-]{0,9}", fullmatch=True),
        version=maybe(st.integers(1, 9)),
        options=maybe(OPTIONS),
        definition=maybe(OBJECTS),
    ),
    players=st.lists(
        st.builds(
            log.Player, id=NAMES, name=maybe(NAMES), kind=maybe(st.sampled_from(["human", "bot"]))
        ),
        min_size=4,
        max_size=7,
    ),
    dealer=st.integers(0, 6),
    scores=maybe(PER_SIDE),
    deal=maybe(st.lists(CARDS, min_size=4, max_size=7)),
    **dict.fromkeys(("stock", "kitty"), maybe(CARDS)),
    actions=st.lists(action_texts(), max_size=12),
    claimed=maybe(
        st.builds(
            log.Claimed,
            **dict.fromkeys(("points", "change", "scores"), maybe(PER_SIDE)),
            winners=maybe(st.lists(st.integers(0, 6), max_size=13)),
        )
    ),
    status=maybe(st.sampled_from(get_args(log.Status))),
    started_at=maybe(st.just("2026-11-20T19:03:00+02:00")),
    times=maybe(st.dictionaries(ACTION_KEYS, st.integers(0, 10**7), max_size=3)),
    notes=maybe(st.dictionaries(ACTION_KEYS, TEXT, max_size=3)),
    ext=maybe(OBJECTS),
)

SOME_PER_SIDE = st.lists(st.none() | st.integers(-200, 200), min_size=2, max_size=7)
SEATS = st.integers(0, 6)
_SOME_BIDS = st.integers(1, 999) | st.sampled_from(["28-56", "83-double", "none"])
KNOWN = st.builds(
    log.Known,
    **dict.fromkeys(("maker", "pair"), maybe(SEATS)),
    bid=maybe(_SOME_BIDS),
    trump=maybe(st.sampled_from(get_args(log.Trump))),
    stake=maybe(st.sampled_from(["double", "redouble", "super"])),
    alone=maybe(st.sampled_from(["solo", "tenny"])),
)
GAPS = st.builds(
    log.Gap,
    before=st.integers(0, 12),
    missing=st.sampled_from(get_args(log.Missing)),
    tricks=maybe(st.lists(st.integers(1, 9), min_size=2, max_size=2)),
    then=maybe(
        st.builds(
            log.Then,
            winner=maybe(SEATS),
            tricks_won=maybe(st.lists(st.none() | st.integers(0, 9), min_size=4, max_size=7)),
            points=maybe(SOME_PER_SIDE),
            holdings=maybe(st.lists(st.none() | CARDS, min_size=4, max_size=7)),
            seen=maybe(CARDS),
        )
    ),
)


@st.composite
def hands_with_gaps(draw: st.DrawFn) -> log.Hand:
    """Any hand that leaves something out, and says so in one way or another."""
    hand = draw(HANDS)
    claimed = st.builds(
        log.Claimed,
        **dict.fromkeys(("points", "change", "scores"), maybe(SOME_PER_SIDE)),
        winners=maybe(st.lists(st.none() | SEATS, max_size=13)),
        result=maybe(st.sampled_from(["made", "set"])),
        by=maybe(st.integers(0, 20)),
    )
    moments = ["2026-11-20", "2026-11-20T19:03", "2026-11-20t19:03:00.5", "2026-11-20T19:03:00Z"]
    return replace(
        hand,
        format=log.FORMAT_WITH_GAPS,
        dealer=draw(maybe(SEATS)),
        scores=draw(maybe(SOME_PER_SIDE)),
        known=draw(maybe(KNOWN)),
        gaps=draw(maybe(st.lists(GAPS, min_size=1, max_size=3))),
        claimed=draw(maybe(claimed)),
        started_at=draw(maybe(st.sampled_from(moments))),
        remark=draw(TEXT),
    )


HANDS_WITH_GAPS = hands_with_gaps()
"""Hands that version 1 has no room for: each has a remark, most have more."""
