"""Everything figures can be grouped and filtered by."""

from __future__ import annotations

from functools import partial
from typing import Final

from tricklog.ingest.metrics.model import OF_HANDS, Dimension, Grain, Level
from tricklog.ingest.metrics.themes import THEME_SQL, TITLES

_BY_HANDS: Final = (
    "SELECT player AS ordered, row_number() OVER (ORDER BY hands DESC, player) AS place "
    "FROM games.players"
)
_BY_DAY: Final = (
    "SELECT session AS ordered, row_number() OVER (ORDER BY day, name) AS place FROM session_names"
)
_BY_TAG: Final = (
    "SELECT tag AS ordered, row_number() OVER (ORDER BY lower(tag), tag) AS place "
    "FROM (SELECT DISTINCT unnest(tags) AS tag FROM hand_tags)"
)
_SEATS: Final = (
    "SELECT seat AS ordered, place FROM (SELECT unnest(["
    "'maker', 'partner', 'left', 'right', '1 after', '2 after', '3 after', '4 after', '5 after', "
    "'6 after']) AS seat, generate_subscripts([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 1) AS place)"
)
# A side is near when it has the target but for what a hand can bring: the points of the pack, or 1
# where games count hands won.
_SCORE_PHASE: Final = (
    "(SELECT CASE"
    " WHEN began[side_no + 1] < near AND began[side_no + 1] - lead_before < near THEN 'early'"
    " WHEN began[side_no + 1] - lead_before < near THEN 'own side near'"
    " WHEN began[side_no + 1] < near THEN 'other side near'"
    " WHEN began[side_no + 1] - lead_before >= near THEN 'both near' END"
    " FROM (SELECT hand_no AS begun, scores_before AS began, (policies->>'target')::INTEGER"
    " - CASE scored_in WHEN 'game points' THEN 1 ELSE total_points END AS near"
    " FROM games.hands JOIN games.seatings USING (seating_id) JOIN games.rulesets USING (ruleset))"
    " WHERE begun = hand_no)"
)
_BY_THEME: Final = (
    "SELECT ordered, place FROM (SELECT unnest($themes$) AS ordered, "
    "generate_subscripts($themes$, 1) AS place)"
).replace("$themes$", repr([*TITLES]))
_IS_FIVE: Final = "point_card IN ('5', 'off five') AND card_points >= 5"

# Dimensions of hands and games, and of one kind of facts alone.
_of_games = partial(Dimension, grains=(*OF_HANDS, Grain.GAME))
_of_cards = partial(Dimension, grains=(Grain.CARD,))
_of_decisions = partial(Dimension, grains=(Grain.DECISION, Grain.JUDGED))
_of_par = partial(Dimension, grains=(Grain.PAR,))
_of_findings = partial(Dimension, grains=(Grain.FINDING,))

DIMENSIONS: Final = (
    _of_games("variant", "The game that was played.", Level.HAND),
    _of_games("ruleset", "The rules with all house rules, by their hash.", Level.HAND),
    _of_games(
        "seating", "How many played, and whether in partnerships.", Level.HAND, title="table"
    ),
    _of_games("source", "The file the hand came from.", Level.HAND, title="log"),
    _of_games(
        "game",
        "The game the hand belongs to.",
        Level.HAND,
        sql="game_no",
        type="BIGINT",
        names=("games.games", "game"),
    ),
    _of_games(
        "session",
        "One day of the same players.",
        Level.HAND,
        type="UBIGINT",
        names=("session_names", "name"),
        order=_BY_DAY,
        ordered=True,
    ),
    Dimension(
        "tag",
        "Each tag that somebody gave the hand.",
        Level.HAND,
        sql="(SELECT tags FROM hand_tags WHERE tagged = hand_no)",
        each=True,
        order=_BY_TAG,
    ),
    _of_games("day", "The day at the table on which the evening began.", Level.HAND, type="DATE"),
    _of_games(
        "week",
        "The week, by its Monday.",
        Level.HAND,
        sql="date_trunc('week', day)::DATE",
        type="DATE",
    ),
    _of_games(
        "month",
        "The month, by its first day.",
        Level.HAND,
        sql="date_trunc('month', day)::DATE",
        type="DATE",
    ),
    _of_games(
        "weekday",
        "1 is Monday, 7 is Sunday.",
        Level.HAND,
        title="day of the week",
        sql="isodow(day)",
        type="UTINYINT",
    ),
    Dimension(
        "hand-number",
        "Number of the hand within its game.",
        Level.HAND,
        title="hand of the game",
        sql="hand",
        type="UINTEGER",
    ),
    _of_games("verdict", "What the audit says about the hand.", Level.HAND, type="verdict_key"),
    Dimension(
        "result", "Made, set, void or thrown in.", Level.HAND, title="outcome", type="result_key"
    ),
    Dimension("bid", "The winning bid; from 1001 on a special one.", Level.HAND, type="SMALLINT"),
    Dimension(
        "forced",
        "Whether the maker had to bid, being the last to speak.",
        Level.HAND,
        type="BOOLEAN",
    ),
    Dimension(
        "trump",
        "The suit the maker named.",
        Level.HAND,
        title="trumps",
        sql="suit",
        type="suit_key",
    ),
    Dimension("stake", "Game points the hand was played for.", Level.HAND, type="UTINYINT"),
    Dimension("alone", "Whether one player undertook all tricks.", Level.HAND, type="BOOLEAN"),
    Dimension(
        "dealer",
        "The player who dealt.",
        Level.HAND,
        sql="dealer_id",
        players=True,
        order=_BY_HANDS,
    ),
    Dimension(
        "margin",
        "Card points of the makers less those they needed.",
        Level.HAND,
        grains=(Grain.SEAT,),
        title="points over the need",
        sql="maker_points - need",
        type="SMALLINT",
    ),
    Dimension("side", "Makers or defenders.", Level.SIDE, type="side_key"),
    Dimension(
        "standing",
        "Whether the side was behind, level or ahead.",
        Level.SIDE,
        title="score before the hand",
        sql="CASE sign(lead_before) WHEN -1 THEN 'behind' WHEN 0 THEN 'level' "
        "WHEN 1 THEN 'ahead' END",
    ),
    Dimension(
        "score-phase",
        "Which side can win with this hand: none (early), the own, another one, or both.",
        Level.SIDE,
        title="who is near the end",
        sql=_SCORE_PHASE,
        order="SELECT * FROM (VALUES ('early', 1), ('own side near', 2), ('other side near', 3), "
        "('both near', 4)) AS listed (ordered, place)",
    ),
    _of_games("player", "The player whose figure it is.", own=True, players=True, order=_BY_HANDS),
    _of_games(
        "partner",
        "Each player on the same side.",
        sql="partners",
        each=True,
        own=True,
        players=True,
        order=_BY_HANDS,
    ),
    _of_games(
        "opponent",
        "Each player on another side.",
        Level.SIDE,
        sql="opponents",
        each=True,
        players=True,
        order=_BY_HANDS,
    ),
    _of_games("kind", "What the record says the player is.", title="human or bot"),
    Dimension("role", "Maker, partner of the maker, or defender.", type="role_key"),
    _of_games("seat", "The seat, clockwise from 0.", type="UTINYINT", own=True),
    Dimension(
        "from-dealer",
        "1 speaks first; 0 is the dealer.",
        title="place after the dealer",
        type="UTINYINT",
        own=True,
    ),
    Dimension(
        "from-maker",
        "In the direction of play; 0 is the maker.",
        title="place after the maker",
        type="UTINYINT",
        own=True,
    ),
    Dimension(
        "trumps-held",
        "In the suit they named, or would best have named.",
        title="trumps held at the call",
        type="UTINYINT",
    ),
    Dimension(
        "points-held",
        "Card points of those trumps.",
        title="points held at the call",
        type="USMALLINT",
    ),
    _of_cards(
        "card", "The point card by its rank.", sql="point_card", type="card_key", ordered=True
    ),
    Dimension(
        "trick",
        "The trick in which the card fell, 0 for a card that counts without one.",
        grains=(Grain.CARD, Grain.DECISION, Grain.JUDGED),
        type="UTINYINT",
    ),
    _of_cards(
        "won-by", "Who took the card, seen from its holder.", title="taken by", type="taker_key"
    ),
    _of_cards("led-by", "Who led to the trick, seen from the holder.", type="taker_key"),
    _of_cards(
        "five",
        "The right five, of trumps, or the left one, of the other suit of its colour.",
        sql=f"CASE WHEN {_IS_FIVE} THEN CASE point_card WHEN '5' THEN 'right' ELSE 'left' END END",
        order="SELECT * FROM (VALUES ('right', 1), ('left', 2)) AS listed (ordered, place)",
    ),
    _of_cards(
        "played",
        "Led; over, with no higher trump in the trick before it; under one; or not at all.",
        title="how the five was played",
        sql=f"CASE WHEN {_IS_FIVE} THEN CASE WHEN place = 0 THEN 'not played' "
        "WHEN place = 1 THEN 'led' WHEN under_trump THEN 'under' ELSE 'over' END END",
        order="SELECT * FROM (VALUES ('led', 1), ('over', 2), ('under', 3), ('not played', 4)) "
        "AS listed (ordered, place)",
    ),
    _of_cards(
        "holder",
        "Seat of the holder: maker, partner, left, right, or places after the maker.",
        title="holder from the maker",
        sql="held_at",
        own=True,
        order=_SEATS,
    ),
    _of_cards(
        "leader",
        "Seat that led to the trick, called in the same way.",
        title="leader from the maker",
        sql="led_at",
        order=_SEATS,
    ),
    _of_cards(
        "taker",
        "Seat that took the card, called in the same way.",
        title="taker from the maker",
        sql="taken_at",
        order=_SEATS,
    ),
    _of_cards(
        "lost-to",
        "The player of another side who took the card.",
        sql="CASE WHEN NOT kept THEN taker END",
        players=True,
        order=_BY_HANDS,
    ),
    _of_decisions(
        "card-played",
        "The card of a decision by its rank, whatever its points.",
        sql="rank",
        type="card_key",
        ordered=True,
    ),
    _of_decisions(
        "turn",
        "As which card of its trick the card was played: 1 leads.",
        title="place in the trick",
        sql="turn + 1",
        type="UTINYINT",
    ),
    _of_decisions(
        "decision",
        "A card, surplus put down, or silence: a pair that was not declared.",
        sql="deed",
        type="decision_key",
    ),
    _of_decisions("choices", "How many different things could be done.", type="UTINYINT"),
    _of_decisions(
        "cost",
        "What the decision cost with all cards open: card points, in a hand alone tricks.",
        sql="loss",
        type="SMALLINT",
    ),
    _of_decisions(
        "loss-kind",
        "What was done where a decision cost something, such as a cinch missed.",
        title="kind of loss",
    ),
    _of_decisions(
        "theme",
        "In what kind of position a choice cost something, such as a lead of the defenders.",
        sql=THEME_SQL,
        order=_BY_THEME,
    ),
    _of_par(
        "over-par",
        "The number bid less the most that the side of the maker could make.",
        Level.HAND,
        title="bid less par",
        sql='"over"',
        type="SMALLINT",
    ),
    _of_par(
        "par-most",
        "The highest number that the side makes on half of the stocks or more.",
        Level.SIDE,
        title="most at par",
        sql="own_most",
        type="SMALLINT",
    ),
    _of_findings("code", "The kind of finding.", title="finding"),
    _of_findings("rule", "The rules a finding cites."),
    _of_findings("scope", "Whether the hand alone shows it, or the game.", title="seen from"),
)

DIMENSION: Final = {each.name: each for each in DIMENSIONS}
"""The dimensions by name."""
