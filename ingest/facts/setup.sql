-- What every hand of the snapshot is looked up in: who sits where, what a card is, which game and
-- which session. The snapshot is attached as games, the facts as facts; rule_cards comes from the
-- rules themselves: what each card is under each trump.

CREATE VIEW rule_suits AS
SELECT
    ruleset,
    seats,
    any_value(packet) AS packet,
    list({'trumps': trumps, 'worth': worth} ORDER BY suit) AS suits
FROM rule_cards
WHERE suit < 4
GROUP BY ruleset, seats;

CREATE TABLE places AS
SELECT
    seating_id,
    seat,
    len(players) AS seats,
    family::facts.family_key AS family,
    variant::facts.variant_key AS variant,
    ruleset::facts.ruleset_key AS ruleset,
    seating(seat_sides)::facts.seating_key AS seating,
    players[seat + 1].id::facts.player_key AS player,
    players[seat + 1].kind::facts.kind_key AS kind,
    [
        each.id FOR each, place IN players
        IF place <> seat + 1 AND seat_sides[place] = seat_sides[seat + 1]
    ]::facts.player_key[] AS partners,
    [each.id FOR each, place IN players IF seat_sides[place] <> seat_sides[seat + 1]]
        ::facts.player_key[] AS opponents,
    seat_sides[seat + 1] AS side,
    list_position(seat_sides, seat_sides[seat + 1]) = seat + 1 AS first_of_side,
    CASE policies->>'direction' WHEN 'clockwise' THEN 1 ELSE len(players) - 1 END AS step,
    total_points,
    scored_in,
    (policies->>'target')::SMALLINT AS target
FROM (SELECT *, unnest(range(len(players)))::UTINYINT AS seat FROM seatings)
JOIN rulesets USING (ruleset);

CREATE TABLE layouts AS
SELECT
    seating_id,
    ruleset,
    len(players) AS seats,
    [each.id FOR each IN players]::facts.player_key[] AS sitting,
    seat_sides,
    list_max(seat_sides) + 1 AS sides,
    sides < seats AS partnered,
    policies->>'all_pass' IN ('dealer-forced', 'dealer-at-least', 'first-forced') AS must_bid,
    policies->>'all_pass' = 'first-forced' AS first_must_bid,
    dense_rank() OVER (ORDER BY list_sort([each.id FOR each IN players])) AS company
FROM seatings
JOIN rulesets USING (ruleset);

INSERT INTO facts.game_names
SELECT row_number() OVER (ORDER BY game) - 1, game FROM games.games;

CREATE TABLE sessions AS
SELECT row_number() OVER (ORDER BY day, company) - 1 AS session, day, company
FROM (
    SELECT DISTINCT day, company
    FROM games.hands
    JOIN layouts USING (seating_id)
    WHERE day IS NOT NULL
);
CREATE TABLE faulted AS
SELECT hands.rowid AS hand, seat, count(*) AS faults
FROM games.findings
JOIN games.hands ON hands.id = findings.hand_id
WHERE seat IS NOT NULL
GROUP BY hands.rowid, seat;

-- Where two tables of a day have the same names, their ids tell them apart.
INSERT INTO facts.session_names
SELECT
    session,
    day::VARCHAR || ' · ' || CASE count(*) OVER (PARTITION BY day, names)
        WHEN 1 THEN names ELSE ids
    END
FROM (
    SELECT
        session,
        day,
        string_agg(name, ', ' ORDER BY seat) AS names,
        string_agg(player, ', ' ORDER BY seat) AS ids
    FROM sessions
    JOIN (
        SELECT company, seat, player
        FROM layouts
        JOIN places USING (seating_id)
        WHERE seating_id IN (SELECT min(seating_id) FROM layouts GROUP BY company)
    ) AS sitting USING (company)
    JOIN games.players USING (player)
    GROUP BY session, day
);
