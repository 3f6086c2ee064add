-- What is counted over all hands of a game, for the games at work that table counted has.

INSERT INTO facts.game_facts BY NAME
WITH sat AS (
    -- In a chair of each table of the game, mostly of one.
    SELECT game_no, seat, any_value(player) AS player, count(DISTINCT player) AS players
    FROM (
        SELECT DISTINCT game_no, seat, chair
        FROM facts.seat_rows
        WHERE
            hand IS NOT NULL
            AND game_no >= getvariable('first') AND game_no < getvariable('behind')
            AND game_no IN (FROM counted)
    )
    JOIN facts.chairs USING (chair)
    GROUP BY game_no, seat
), played AS (
    SELECT
        game_no,
        seat,
        count(*) AS hands,
        max(hand) AS last_number,
        count(DISTINCT hand) AS numbers,
        CASE WHEN count(lead_after) = count(*) THEN min(lead_after) END AS worst_lead,
        bool_and(verdict IN ('valid', 'partial')) AS sound,
        bool_or(verdict = 'partial') AS has_gaps,
        max_by(hand_no, hand) AS last_hand
    FROM facts.seat_rows
    WHERE
        hand IS NOT NULL
        AND game_no >= getvariable('first') AND game_no < getvariable('behind')
        AND game_no IN (FROM counted)
    GROUP BY game_no, seat
), tied AS (
    -- Several hands may have the last number: neither the order of loading nor an id, which is
    -- another when somebody is forgotten, chooses among them.
    SELECT
        contracts.game_no,
        last(
            contracts.hand_no ORDER BY contracts.hand, started_at NULLS FIRST, md5(concat(deal, deeds)), hand_id
        ) AS last_hand
    FROM contracts
    JOIN games.hands USING (hand_no)
    WHERE
        contracts.hand IS NOT NULL
        AND contracts.game_no IN (SELECT game_no FROM played WHERE played.hands > numbers)
    GROUP BY contracts.game_no
)
SELECT
    played.game_no,
    CASE WHEN NOT sound THEN 'irregular' WHEN has_gaps THEN 'partial' ELSE 'valid' END AS verdict,
    last.source,
    chairs.family,
    last.variant,
    chairs.ruleset,
    chairs.seating,
    last.day,
    last.session,
    played.seat,
    sat.player,
    chairs.partners,
    chairs.opponents,
    chairs.kind,
    chairs.side_no,
    played.seat = 0 AS first_of_game,
    last.first_of_side,
    played.hands,
    chairs.side_no = whole.winner_side AS won,
    last.lead_after,
    worst_lead,
    (policies->>'target')::SMALLINT AS target
FROM played
JOIN sat ON sat.game_no = played.game_no AND sat.seat = played.seat
LEFT JOIN tied ON tied.game_no = played.game_no
JOIN facts.seat_rows AS last
    ON last.hand_no = coalesce(tied.last_hand, played.last_hand) AND last.seat = played.seat
JOIN facts.chairs ON chairs.chair = last.chair
JOIN games.games AS whole ON whole.game_no = played.game_no
JOIN games.rulesets ON rulesets.ruleset = chairs.ruleset
WHERE
    whole.winner_side IS NOT NULL
    AND missing = 0
    AND sat.players = 1
    AND numbers = last_number
    AND last.game_no >= getvariable('first') AND last.game_no < getvariable('behind')
    AND whole.game_no >= getvariable('first') AND whole.game_no < getvariable('behind')
ORDER BY played.game_no, played.seat;
