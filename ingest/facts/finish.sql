-- What is counted over all hands: games, and findings beside the players they name.

INSERT INTO facts.game_facts BY NAME
WITH played AS (
    SELECT
        game_no,
        seat,
        any_value(player) AS player,
        count(DISTINCT player) AS players,
        count(*) AS hands,
        max(number) AS last_number,
        count(DISTINCT number) AS numbers,
        CASE WHEN count(lead_after) = count(*) THEN min(lead_after) END AS worst_lead,
        bool_and(verdict = 'valid') AS sound,
        max_by(hand, number) AS last_hand
    FROM facts.seat_facts
    WHERE number IS NOT NULL
    GROUP BY game_no, seat
)
SELECT
    played.game_no,
    CASE WHEN sound THEN 'valid' ELSE 'irregular' END AS verdict,
    last.source,
    last.family,
    last.variant,
    last.ruleset,
    last.seating,
    last.day,
    last.session,
    played.seat,
    played.player,
    last.partners,
    last.opponents,
    last.kind,
    last.side_no,
    played.seat = 0 AS first_of_game,
    last.first_of_side,
    played.hands,
    places.side = whole.winner_side AS won,
    last.lead_after,
    worst_lead,
    places.target
FROM played
JOIN facts.seat_facts AS last ON last.hand = last_hand AND last.seat = played.seat
JOIN facts.game_names ON game_names.game_no = played.game_no
JOIN games.games AS whole ON whole.game = game_names.game
JOIN games.hands ON hands.rowid = last_hand
JOIN places ON places.seating_id = hands.seating_id AND places.seat = played.seat
WHERE
    whole.winner_side IS NOT NULL
    AND missing = 0
    AND played.players = 1
    AND numbers = last_number
ORDER BY played.game_no, played.seat;

INSERT INTO facts.finding_facts BY NAME
SELECT
    context.* REPLACE (
        named.seat AS seat,
        named.player AS player,
        named.partners AS partners,
        named.opponents AS opponents,
        named.kind AS kind,
        named.from_dealer AS from_dealer,
        named.from_maker AS from_maker,
        named.side_no AS side_no,
        named.side AS side,
        named.role AS role,
        named.lead_before AS lead_before,
        named.lead_after AS lead_after,
        named.trumps_held AS trumps_held,
        named.points_held AS points_held
    ),
    code,
    scope,
    rule
FROM games.findings
JOIN games.hands ON hands.id = findings.hand_id
JOIN facts.context ON context.hand = hands.rowid AND context.seat = 0
LEFT JOIN facts.context AS named ON named.hand = hands.rowid AND named.seat = findings.seat
ORDER BY context.hand, scope DESC, ordinal;
