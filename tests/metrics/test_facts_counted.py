"""Every column of the facts, counted once more in plain Python from the replays of the hands."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit import log_lines
from tests.kit.facts import Facts, facts_in, warehouse_of
from tests.kit.log_lines import moved_on
from tests.kit.page_blocks import REPOSITORY
from tests.kit.recount import call_rows, card_rows, forced_calls, game_rows, in_games
from tests.kit.sound_hands import FAMILY, SOUND, alone_with_trumps, on_games, provoked
from tests.kit.support import hand_of
from tricklog import Hand, Replay, RulesRef, check_game, read, replay
from tricklog.core.engine.policies import AllPass
from tricklog.ingest.metrics.model import OF_CHAIRS, ROWS, Grain, facts_for
from tricklog.schemas.cards import TRUMP_RANKS

Rows = dict[tuple[Any, ...], dict[str, Any]]
SAMPLED = REPOSITORY / "sample_logs"
SAMPLES = 14
"""Variants there are samples of."""


def sampled() -> Iterator[Hand]:
    """The first game of every sample of valid games."""
    for path in sorted((SAMPLED / "valid").glob("*/*.jsonl")):
        hands = [item.hand for item in read(path) if item.hand]
        yield from (hand for hand in hands if hand.game == hands[0].game)


def unusual(hands: list[Hand]) -> Iterator[Hand]:
    """Hands with every fault, cut short, partly hidden, without a game, with extreme figures."""
    made = [case.hand for case in provoked() if len(case.hands) == 1] + [alone_with_trumps()]
    made += [make() for make in (*SOUND.values(), *FAMILY.values())]
    # One of them has an action of a seat that the table does not have, and is not read at all.
    made = [hand for hand in made if all(int(deed[0]) < len(hand.players) for deed in hand.actions)]
    first = {hand.rules.variant: hand for hand in reversed(hands)}
    for hand in first.values():
        made += [
            replace(hand, actions=hand.actions[: 2 * len(hand.actions) // 3]),
            replace(hand, actions=hand.actions[:2]),
            replace(moved_on(hand), game=UNSET),
            replace(hand, deal=UNSET, stock=UNSET, kitty=UNSET),
        ]
        if hand.deal:
            hidden = [hand.deal[0], " ".join("?" * len(hand.deal[1].split())), *hand.deal[2:]]
            made.append(replace(hand, deal=hidden, stock=UNSET))
    # Seat 0 is alone with trumps after three tricks, and gets the points of the rest.
    made.append(replace(SOUND["pidro"](), actions=SOUND["pidro"]().actions[:-3]))
    pedro = first["pedro"]
    made += [
        log_lines.with_wrong_claim(pedro),
        replace(pedro, hand=100_000, scores=[-1_000_000, 1_000_000]),
        replace(pedro, scores=[0, 0, 0]),
        replace(pedro, players=[*pedro.players[:3], pedro.players[0]]),
        replace(pedro, started_at=UNSET),
        replace(pedro, rules=RulesRef("pedro", options={"points": {"A": 100, "5": 100, "K": 100}})),
        hand_of("pedro", ["0 pass", "1 pass", "2 pass", *["3 bid 7"] * 400]),
        hand_of("pedro", [*["0 bid 7"] * 300, "1 pass"]),
        hand_of("eighty-three", ["0 bid 30", "0 bid 31"]),
    ]
    made += [hand for hand, _ in FORCED]
    for number, hand in enumerate(made):
        game = hand.game if hand.game is UNSET else f"{hand.game}-{number}"
        yield replace(hand, id=f"unusual-{number}", game=game)
    for case in on_games():
        for hand in case.hands:
            yield replace(hand, id=f"{case.code}-{hand.id}", game=case.code)


def under(all_pass: str, variant: str, actions: list[str]) -> Hand:
    return hand_of(variant, actions, options={"all_pass": all_pass})


PASSES = ["0 pass", "1 pass", "2 pass"]
FORCED = [
    (under("dealer-forced", "pedro", [*PASSES, "3 bid 7"]), (0, 0)),
    (under("dealer-at-least", "pedro", [*PASSES, "3 bid 9"]), (0, 0)),
    (under("dealer-at-least", "pedro", [*PASSES[:2], "2 bid 8", "3 bid 9"]), (1, 1)),
    (under("first-forced", "twenty-nine", [*PASSES, "3 pass", "0 bid 16"]), (1, 0)),
    (under("first-forced", "twenty-nine", [*PASSES, "3 bid 17"]), (1, 1)),
    (under("first-opens", "twenty-nine", ["0 bid 17"]), (0, 0)),
]
"""Auctions with turns and bids of who bids last, without a bid that was forced (S85, O65, O70)."""


@cache
def replays() -> dict[str, Replay]:
    hands = list(sampled())
    assert len({hand.rules.variant for hand in hands}) == SAMPLES
    incomplete = [replace(hand, id=f"gap-{hand.id}", game="gap") for hand in hands[1:4]]
    doubtful = [item.hand for item in read(SAMPLED / "invalid/verdict/doubtful.jsonl") if item.hand]
    every = [*hands, *incomplete, *doubtful, *unusual(hands)]
    return {hand.id: replay(hand) for hand in every}


db = warehouse_of("facts", lambda: [item.hand for item in replays().values()])
facts = facts_in("db")


def stored(facts: Facts, query: str, *keys: str) -> Rows:
    rows = facts.sql(query).pl().to_dicts()
    found = {tuple(row[key] for key in keys): row for row in rows}
    assert len(found) == len(rows)
    return found


def games_of() -> dict[str, list[Replay]]:
    games = defaultdict(list)
    for item in replays().values():
        if item.hand.game:
            games[item.hand.game].append(item)
    return games


SHARED = """
    facts.* EXCLUDE (game_no, session, source{kept}),
    CASE WHEN session IS NOT NULL THEN (day, session) END AS "table",
    (SELECT game FROM games.games WHERE games.games.game_no = facts.game_no) AS game
"""


def assert_alike(found: Rows, due: Rows) -> None:
    """The same rows, and the same value in every column; sessions are grouped alike."""
    assert found.keys() == due.keys()
    columns = set(next(iter(due.values())))
    assert columns == set(next(iter(found.values())))
    wrong = [
        (key, name, row[name], due[key][name])
        for key, row in found.items()
        for name in columns - {"table"}
        if row[name] != due[key][name]
    ]
    assert wrong == [], "\n".join(map(str, wrong[:40]))
    tables = {(str(row["table"]), due[key]["table"]) for key, row in found.items()}
    assert len({one for one, _ in tables}) == len({other for _, other in tables}) == len(tables)


def test_every_column_of_every_seat_is_as_counted_again(facts: Facts) -> None:
    query = (
        f"SELECT {SHARED.format(kept=', hand_no, seating_id')}, hand_id FROM seat_facts AS facts "  # noqa: S608 - names of our own
        "JOIN (SELECT hand_no, hand_id FROM games.hands) USING (hand_no)"
    )
    found = stored(facts, query, "hand_id", "seat")
    due = {(row["hand_id"], row["seat"]): row for row in in_games(replays().values())}
    for items in games_of().values():
        for item, findings in zip(items, check_game(items), strict=True):
            for finding in findings:
                if finding.seat is not None:
                    due[item.hand.id, finding.seat]["faults"] += 1
    assert_alike(found, due)
    verdicts = {name for (name,) in facts.sql("SELECT verdict::TEXT FROM games.hands").fetchall()}
    assert verdicts == {"valid", "irregular", "doubtful", "incomplete", "rejected"}


def test_every_point_card_is_as_counted_again(facts: Facts) -> None:
    names = ["hand_id", "seat", "point_card", "card_points", "trick", "kept", "to_makers", "won_by"]
    names += ["led_by", "taker", "place", "under_trump", "held_at", "led_at", "taken_at"]
    query = "FROM (FROM card_facts JOIN games.hands USING (hand_no)) SELECT "
    found = facts.sql(query + ", ".join(names)).fetchall()
    rows = [row for item in replays().values() for row in card_rows(item)]
    due = [tuple(row[name] for name in names) for row in rows]
    assert sorted(found, key=repr) == sorted(due, key=repr)
    kinds = {"won_by": 3, "led_by": 4, "trick": 9, "place": 6, "under_trump": 2}
    kinds |= {"held_at": 10, "led_at": 10, "taken_at": 10}
    for name, values in kinds.items():
        assert len({row[names.index(name)] for row in found}) >= values, name


def test_every_call_is_as_counted_again(facts: Facts) -> None:
    query = "FROM games.call_facts SELECT * EXCLUDE (lowest, had_choice)"
    found = stored(facts, query, "hand_id", "call")
    rows = [row for item in replays().values() for row in call_rows(item)]
    due = {(row["hand_id"], row["call"]): row for row in rows}
    assert found == due
    assert {row["standing_of"] for row in due.values()} == {"own", "partner", "opponents", "none"}
    assert {row["verb"] for row in due.values()} == {"bid", "pass", "ditto", "tenny"}
    ranks = {name for row in due.values() for name in row["ranks_held"] or ()}
    assert len(ranks) == len(TRUMP_RANKS)


def test_a_forced_bid_is_a_choice_only_where_other_numbers_are_right(facts: Facts) -> None:
    query = 'FROM games.call_facts SELECT hand_id, "call", had_choice'
    found = {(hand, call): had_choice for hand, call, had_choice in facts.sql(query).fetchall()}
    seen = set()
    for name, item in replays().items():
        values = item.ruleset.values
        if values["special_bid"] != "none" or values["tenny"]:
            continue
        any_number = item.rules.all_pass in (AllPass.DEALER_AT_LEAST, AllPass.FIRST_OPENS)
        free = any_number or values["slam"] != "nothing-extra"
        for number, forced in enumerate(forced_calls(item), 1):
            if forced:
                assert found[name, number] == free, (name, number)
                seen.add(free)
    assert seen == {True, False}


def columns(facts: Facts, table: str) -> set[str]:
    return {name for name, *_ in facts.sql(f"DESCRIBE {table}").fetchall()}


def test_a_point_card_says_of_its_player_what_his_row_says(facts: Facts) -> None:
    seats, cards = (columns(facts, table) for table in ("seat_facts", "card_facts"))
    assert len(seats & cards) >= 29
    own = ", ".join(sorted(seats & cards))
    query = f"SELECT {own} FROM card_facts EXCEPT SELECT {own} FROM seat_facts"  # noqa: S608 - names of our own
    assert facts.sql(query).fetchall() == []
    # Rows lack what is known of chairs.
    for grain, rows in ROWS.items():
        assert columns(facts, grain.value) - columns(facts, rows) == OF_CHAIRS[grain]
    # Chairs are looked up only for what is said of them.
    assert facts_for(Grain.SEAT, "sum(own_points)", "role = 'partner'") == "seat_rows"
    assert facts_for(Grain.CARD, "led_by = 'opponents' AND point_card = '5'") == "card_rows"
    assert facts_for(Grain.SEAT, "count(*)", "Player IS NOT NULL") == "seat_facts"
    assert facts_for(Grain.CARD, ", unnest(opponents) AS of(each)") == "card_facts"
    assert facts_for(Grain.GAME, "won") == "game_facts"


def test_every_complete_game_is_as_counted_again(facts: Facts) -> None:
    games = games_of()
    query = f"FROM game_facts AS facts SELECT {SHARED.format(kept='')}"
    found = stored(facts, query, "game", "seat")
    due = {(row["game"], row["seat"]): row for items in games.values() for row in game_rows(items)}
    assert_alike(found, due)
    assert {row["won"] for row in found.values()} == {True, False}
    assert len({row["variant"] for row in found.values()}) == SAMPLES
    assert "gap" in games
    assert "gap" not in {game for game, _ in found}


def test_every_finding_is_that_of_the_player_it_names(facts: Facts) -> None:
    seats = {(row["hand_id"], row["seat"]): row for row in in_games(replays().values())}
    found = facts.sql("FROM (FROM finding_facts JOIN games.hands USING (hand_no)) ORDER BY hand_no")
    rows = found.pl()
    own = (
        *("player", "partners", "opponents", "kind", "side", "role", "from_dealer", "from_maker"),
        *("side_no", "lead_before", "trumps_held", "points_held"),
    )
    shared = ("verdict", "variant", "dealer_id", "bid", "result", "suit", "day", "hand")
    for row in rows.to_dicts():
        due = seats[row["hand_id"], row["seat"] or 0]
        assert [row[name] for name in shared] == [due[name] for name in shared]
        named = [None if row["seat"] is None else due[name] for name in own]
        assert [row[name] for name in own] == named
    counted = [
        (item.hand.id, finding.code, finding.seat, finding.rule)
        for item in replays().values()
        for finding in item.findings
    ]
    of_hands = rows.filter(scope="hand").select("hand_id", "code", "seat", "rule").rows()
    assert sorted(of_hands, key=repr) == sorted(counted, key=repr)
    assert {seat is None for _, _, seat, _ in of_hands} == {True, False}
    # Findings of games are among them.
    pairs = [[*map(replay, case.hands)] for case in on_games()]
    codes = {finding.code for pair in pairs for found in check_game(pair) for finding in found}
    assert codes
    assert codes <= set(rows.filter(scope="game")["code"])


def test_o65_o70_a_forced_bid_is_no_turn_whoever_has_to_make_it(facts: Facts) -> None:
    ids = {(repr(item.hand.rules), *item.hand.actions): name for name, item in replays().items()}
    for hand, due in FORCED:
        (found,) = facts.execute(
            "SELECT turns, bids FROM seat_facts JOIN games.hands USING (hand_no) "
            "WHERE hands.hand_id = ? AND seat = ?",
            [ids[repr(hand.rules), *hand.actions], int(hand.actions[-1][0])],
        ).fetchall()
        assert found == due, hand.actions
