"""What pages say where an address asks for it, and for what is odd, empty or not there.

A case is the warehouse and the address, and what stands on the page: after ``not:`` nowhere, and
after ``info:`` and its like all that the only box of that kind says, as Markdown, in which ``…``
stands for anything.
"""

import re
from urllib.parse import parse_qs

import pytest

from tests.dashboard.conftest import Visit
from tests.kit.app_pages import text_of, unmarked
from tricklog.dashboard.address import urls

BOXES = ("info", "warning", "error", "subheader", "code")
SAID = r"""
small bids?view=By player | info: There are too few games to compare yet. | too few games
small bids?view=Calibration | subheader: Do bids mean what they say? | not: does not know
small bids?view=By holding | subheader: How many trumps are enough? | not: does not know
small capture?view=Tricks | subheader: In which trick are point cards lost? | not: does not know
small bids?since=2100-01-01 | Made from 0 valid hands. | info: No hand matches…
small bids?since=2026-11-21&until=2026-11-20
  | warning: From is after To, so that no hand matches. Change one of the days.
club bids?view=By player&question=forced-made-rate-by-player&at=forced:false
  | Nobody had to bid in these hands
club bids?since=2199-01-01 | No hand matches in which a maker chose to bid
club bids?holding=luck | warning: The address asks for holding “luck”…
small bids?view=Margins&since=2100-01-01 | No hand matches
small bids?variant=Twenty-Nine&min=1 | Contracts made out of 100 | too few contracts of any bid
small bids?variant=King Pedro&min=1 | Contracts made out of 100 | too few contracts of any bid
small bids?variant=Finnish Pidro&min=1 | Contracts made out of 100 | too few contracts of any bid
season bids?view=Same cards&since=2026-11-19
  | a comparison takes 150 in 30. So the field is the whole warehouse
club bids?view=Same cards&question=bid-or-pass&hand-held=AH KH JH 5H 5D 9H 3H 2C 4C 8S 7S 6C
  | too few contracts of this game to say what a hand is worth | not: The address asks
small capture?view=Pedros&variant=Twenty-Nine
  | info: No five that counts was played…Twenty\-Nine\.
small capture?view=Pedros&since=2199-01-01&table=whist | No hand matches | not: does not know
club capture?view=Pedros&table=Whist, 4 partners
  | warning: The address asks for table “Whist\, 4 partners”… | Makers lose
singles players?rank=Scoring: Score a hand&min=1&at=variant:sancho | are taken together in
singles players?rank=Scoring: Score a hand&min=1&at=variant:sancho&at=seating:5 singles
  | not: are taken together in
singles variants | info: …it takes two games to compare…
three_games variants?since=2190-01-01 | info: …fewer than two games…
three_games variants?one=Bridge&other=King Pedro | warning: …“Bridge”…
small hands?at=since:soon&at=min:0&at=all:maybe&at=until:9999-01-01
  | warning: …asks for since “soon”, which this page does not know…
  | warning: …asks for min “0”, which this page does not know…
  | warning: …asks for all “maybe”, which this page does not know…
  | warning: …asks for until “9999\-01\-01”, which this page does not know…
small hands?figure=made-rate&at=card:5 | cannot be grouped or filtered by card
small hands?figure= | 51 hands.
small hands?figure=luck | 51 hands. | warning: …“luck”…
small hands?figure=<b>x</b> | 51 hands. | warning: …“\<b\>x\<\/b\>”…
small hands?bid-from=9&bid-to=7
  | warning: Bid: what is at least 9 is never at most 7… | No hand matches
with_gaps hands?verdict=partial | 4 hands | 2026-11-21-ann-bo-cy-dee-1 | 2026-11-22-ann-bo-cy-dee-4
  | not: 2026-11-20-ann-bo-cy-dee-1 | Ann &amp; Cy: 18
sheets hands?find=holed | games?game=holed
dealt hands | Deals played at several tables
small replay?hand=claimed | Pedro | game claimed | hand 1 | 2026-01-02 | irregular
small replay?hand=claimed&try=<b> | warning: The address asks for try…
sheets replay?hand=holed-1 | games?game=holed
sheets games?find=no such game | No game matches
sheets games?find=2026-11-20 | 60 games
sheets games?game=hole | error: There is no game… | games?game=holed
sheets games?game=alone | worked out for two sides | not: tl-chance"
evenings games?game=early | evenings?evening=2026-11-20
dealt same-deal?deal=0123456789abcdef | error: …is in this warehouse\.
evenings evenings?at=variant:sancho&until=2026-11-13 | no evening to show
evenings evenings?evening=2020-01-01 | warning: …“2020\-01\-01”… | Saturday 21 November 2026
evenings evenings?view=Season | Season 2026 | 3 evenings
evenings evenings?view=Season&since=2026-11-13&until=2026-11-13 | <h2>2026-11-13</h2> | 1 evening
with_gaps evenings?evening=2026-11-20 | Ann | Bo | Cy | Dee
with_gaps evenings?evening=2026-11-21 | Ann | Bo | Cy | Dee
with_gaps evenings?evening=2026-11-22 | Ann | Bo | Cy | Dee
paired players?among=Partners&until=1999-01-01 | nothing can be told
paired players?among=Partners&role=maker | info: …cannot be filtered by role…
paired players?view=Leaks | warning: The address asks for view “Leaks”…
small audit | **48 of 51 hands** are in order | Revoke. | Claimed points.
small audit?find=king-pedro-11-1-1 | played and scored by the rules | No findings
small audit?since=2199-01-01 | No hand matches
small audit?at=card:5 | cannot be grouped or filtered by card
small audit?view=unreadable lines | 1 line kept aside | Missing field. | <bdi>hands.jsonl:
  | Add the field | code: {"format": "tricklog/1"}
with_gaps audit | Revoke | the record has gaps, and all that is written is in order | 1 finding
sheets audit?find=holed | games?game=holed
ledgers ledger?hand=nowhere | error: …nowhere…
ledgers ledger?view=Many hands&since=2031-01-01 | No hand matches
ledgers ledger?view=Many hands&at=card:5 | cannot be grouped or filtered by card
"""
CASES = [" ".join(case.split()) for case in SAID.replace("\n  |", " |").strip().splitlines()]


@pytest.mark.usefixtures("quick_ledgers")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.split(" | ")[0])
def test_a_page_says(request: pytest.FixtureRequest, visit: Visit, case: str) -> None:
    address, *words = case.split(" | ")
    db, _, link = address.partition(" ")
    path, _, query = link.partition("?")
    warehouse = request.getfixturevalue(f"{db}_warehouse" if db in ("small", "club") else db)
    asked = parse_qs(query, keep_blank_values=True)
    app = visit(warehouse, urls.PAGES[path].file, **asked)
    assert "warning: " in case or not app.warning
    assert "error: " in case or not app.error
    for said in words:
        kind, _, inside = said.partition(": ")
        if kind == "not":
            assert inside not in unmarked(text_of(app))
        elif kind in BOXES:
            (box,) = getattr(app, kind)
            assert re.fullmatch(re.escape(inside).replace("…", ".*"), box.value, re.DOTALL)
        else:
            assert said in unmarked(text_of(app))
