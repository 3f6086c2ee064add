"""What a record leaves open is shown as open: cards in hand, winners of tricks, the stock.

Sources: 0.conservation, 0.record, 1.rob, 4.rob, 14.trick.
"""

from collections.abc import Callable

import duckdb
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.coded import trick_code
from tests.kit.sound_hands import pedro, pidro, twenty_nine, up_to
from tests.kit.support import card_set
from tricklog import Claimed, Hand, Replay, Verdict, replay
from tricklog.core.engine.records import State
from tricklog.core.engine.rules import stock
from tricklog.core.judging import result_claims
from tricklog.ingest.sql import sql_text
from tricklog.schemas import codes

VIEWS = sql_text("tricklog.ingest.store", "warehouse_views.sql")


def hidden(hand: Hand, *texts: str, deal: list[str] | None = None) -> Hand:
    """Return the hand with some cards played, and the hands dealt, not recorded."""
    actions = [f"{text[0]} play ?" if text in texts else text for text in hand.actions]
    unknown = ["? ? ? ? ? ? ? ?"] * 4 if deal is None else deal
    return replace(hand, actions=actions, deal=unknown, claimed=UNSET)


def sentence(replayed: Replay, index: int) -> str:
    return replayed.at(index).choice.sentence


def test_0_record_a_hand_with_unknown_cards_may_play_one_of_them() -> None:
    hand = up_to(twenty_nine(), "0 reveal S")
    unseen = replay(replace(hand, deal=["? ? ? ? ? ? ? ?"] * 4, claimed=UNSET))
    place = hand.actions.index("0 play JH")
    assert sentence(unseen, place) == "ann may play J♥ or one of 7 cards not recorded."
    bare = replay(replace(hand, actions=hand.actions[:place], deal=["? ? ? ? ? ? ? ?"] * 4))
    assert sentence(bare, place) == "ann may play one of 8 cards not recorded."
    full = replay(replace(hand, claimed=UNSET))
    assert sentence(full, place).startswith("ann may play ")
    assert "not recorded" not in sentence(full, place)


def test_0_record_a_discard_out_of_unknown_cards() -> None:
    hand = pedro()
    actions = hand.actions[:5]
    bare = replay(replace(hand, actions=actions, deal=["? ? ? ? ? ? ? ? ?"] * 4, claimed=UNSET))
    assert sentence(bare, 5).endswith("of 9 cards not recorded.")
    assert "none" not in sentence(bare, 5)


def test_14_trick_of_four_unknown_cards_nobody_knows_the_winner() -> None:
    trick = ("0 play JS", "1 play 8D", "2 play 8H", "3 play 7S")
    hand = hidden(twenty_nine(), *trick)
    replayed = replay(hand)
    unknown, known = replayed.tricks[1], replayed.tricks[0]
    assert (unknown.winner, unknown.points) == (None, 0)
    assert known.winner == 0
    # Whoever leads next is believed, and nobody is credited with the trick before.
    assert replayed.findings == ()
    assert sum(replayed.at(len(hand.actions)).tricks_won) == len(replayed.tricks) - 1
    other = hand.actions.index("0 play 9S")
    led = replace(hand, actions=[*hand.actions[:other], "2 play QH"])
    assert replay(led).findings == ()
    # A claim about it can be neither right nor wrong.
    for winner in range(4):
        claimed = replace(hand, claimed=Claimed(winners=[0, winner]))
        assert replay(claimed).findings == ()
    assert (
        result_claims.claimed_leader(replace(hand, claimed=Claimed(winners=[0, 3])), unknown)
        is None
    )


def test_14_trick_one_known_card_is_enough_to_name_its_winner() -> None:
    trick = ("1 play 8D", "2 play 8H", "3 play 7S")
    replayed = replay(hidden(twenty_nine(), *trick))
    assert replayed.tricks[1].winner == 0


def test_0_record_the_code_of_such_a_trick_has_no_seat() -> None:
    code = trick_code(-1, 4, 0)
    assert code & 7 == codes.UNKNOWN_WINNER
    hand = hidden(twenty_nine(), "0 play JS", "1 play 8D", "2 play 8H", "3 play 7S")
    replayed = replay(hand)
    assert replayed.verdict == Verdict.DOUBTFUL
    with duckdb.connect() as connection:
        connection.execute(VIEWS[VIEWS.index("CREATE MACRO trick_winner") :].split(";")[0])
        macro = "SELECT trick_winner($1::INTEGER)"
        assert connection.execute(macro, [code]).fetchone() == (None,)
        assert connection.execute(macro, [trick_code(3, 4, 2)]).fetchone() == (3,)


def unseen(hand: Hand) -> Hand:
    """Return the hand with neither the stock nor any card dealt recorded."""
    nobody = ["? ? ? ? ? ? ? ? ?"] * 4
    return replace(hand, deal=nobody, stock=UNSET, claimed=UNSET)


def lies_elsewhere(state: State) -> int:
    """Return the cards known to be in hands or laid off."""
    return sum(state.holding[:4]) | sum(state.discarded[:4])


@pytest.mark.parametrize("make", [pedro, pidro], ids=["pedro", "pidro"])
def test_4_rob_1_rob_only_cards_that_may_lie_there_are_listed(make: Callable[[], Hand]) -> None:
    replayed = replay(unseen(make()))
    place = next(at for at, text in enumerate(replayed.hand.actions) if " rob " in text)
    state = replayed.state_at(place)
    listed = stock.legal_rob(state, replayed.rules, 3).may
    assert card_set("2C 3H 4D 8H KC") & lies_elsewhere(state) == card_set("2C 3H 4D 8H KC")
    assert listed & lies_elsewhere(state) == 0
    assert listed & card_set("QH AH 8D") == card_set("QH AH 8D")


def test_1_refill_only_cards_that_may_lie_there_are_dealt() -> None:
    replayed = replay(unseen(pedro()))
    place = replayed.hand.actions.index("2 draw 9H TH JH")
    state = replayed.state_at(place)
    listed = stock.legal_draw(state, replayed.rules, 2).may
    assert listed & lies_elsewhere(state) == 0
    assert listed & card_set("9H TH JH") == card_set("9H TH JH")
