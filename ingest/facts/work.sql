-- The hands whose facts are derived: those that came after the variable last, and all of the games
-- they belong to. What was derived of these games before is removed. The snapshot is attached as
-- games, the facts as facts.

CREATE TABLE touched AS
SELECT game_no
FROM games.games
WHERE game IN (SELECT DISTINCT game FROM games.hands WHERE hand_no > getvariable('last') AND game IS NOT NULL);

CREATE TABLE work AS
SELECT hand_no, hand_no AS game_no, NULL::DATE AS first_day
FROM games.hands
WHERE hand_no > getvariable('last') AND game IS NULL
UNION ALL
SELECT hand_no, game_no, first_day
FROM games.hands
JOIN (FROM games.games SEMI JOIN touched USING (game_no)) USING (game);

CREATE TABLE met_before AS
SELECT DISTINCT session, day
FROM facts.seat_rows
WHERE game_no IN (FROM touched) AND session IS NOT NULL;

DELETE FROM facts.seat_rows WHERE game_no IN (FROM touched);
DELETE FROM facts.card_rows WHERE game_no IN (FROM touched);
DELETE FROM facts.game_facts WHERE game_no IN (FROM touched);
DELETE FROM facts.finding_facts WHERE game_no IN (FROM touched);
DELETE FROM facts.tallies WHERE game_no IN (FROM touched);

-- Who sits where, and under which rules. Seatings in which that is the same are one table, which has
-- the number of that seating whose hands came first.
CREATE TABLE layouts AS
SELECT
    coalesce(known.seating_id, min(seatings.seating_id) OVER (PARTITION BY layout)) AS table_no,
    seatings.*
FROM (
    SELECT
        seating_id,
        ruleset,
        family,
        variant,
        seating(seat_sides) AS seating,
        len(players) AS seats,
        [each.id FOR each IN players] AS sitting,
        [each.kind FOR each IN players] AS kinds,
        seat_sides,
        md5_number_lower(
            concat_ws(chr(10), ruleset, to_json(seat_sides), to_json(sitting), to_json(kinds))
        ) AS layout,
        array_to_string(list_sort(sitting), chr(10)) AS company,
        (CASE policies->>'direction' WHEN 'clockwise' THEN 1 ELSE len(players) - 1 END)::UTINYINT AS step,
        total_points,
        scored_in,
        (policies->>'off_jack') = 'true' AS has_off_jack
    FROM games.seatings
    JOIN games.rulesets USING (ruleset)
    WHERE seating_id IN (SELECT seating_id FROM games.hands WHERE hand_no IN (SELECT hand_no FROM work))
) AS seatings
LEFT JOIN (SELECT DISTINCT layout, seating_id FROM facts.chairs) AS known USING (layout);

CREATE MACRO chair_of(table_no, seat) AS (table_no * 8 + seat)::INTEGER;

INSERT INTO facts.chairs BY NAME
SELECT
    chair_of(seating_id, seat) AS chair,
    seating_id,
    layout,
    family,
    ruleset,
    seating,
    sitting[seat + 1] AS player,
    [
        each FOR each, place IN sitting
        IF place <> seat + 1 AND seat_sides[place] = seat_sides[seat + 1]
    ] AS partners,
    [each FOR each, place IN sitting IF seat_sides[place] <> seat_sides[seat + 1]] AS opponents,
    kinds[seat + 1] AS kind,
    seat_sides[seat + 1] AS side_no,
    list_position(seat_sides, seat_sides[seat + 1]) = seat + 1 AS first_of_side,
    sitting,
    step
FROM (SELECT *, unnest(range(seats)) AS seat FROM layouts WHERE table_no = seating_id)
WHERE seating_id NOT IN (SELECT seating_id FROM facts.chairs)
ORDER BY chair;

CREATE TABLE faulted AS
SELECT hand_no, seat, count(*) AS faults
FROM games.findings
JOIN games.hands USING (hand_id)
WHERE seat IS NOT NULL AND hand_no IN (SELECT hand_no FROM work)
GROUP BY ALL;

-- Who met when by the hands at work: of each session those of any of its tables.
CREATE TABLE met (session UBIGINT, day DATE, player_ids VARCHAR[]);

-- Places from one seat to another in the direction of play.
CREATE MACRO places_after(seat, other, step, seats) AS
    ((seat::INTEGER - other) * step + seats * seats) % seats;
CREATE MACRO side_named(side_no, maker_side) AS CASE
    WHEN side_no = maker_side THEN 'makers'
    WHEN side_no IS NOT NULL AND maker_side IS NOT NULL THEN 'defenders'
END;
-- Whose a card or a lead was, seen from a seat.
CREATE MACRO taken_as(other, seat, of_side) AS CASE
    WHEN other = seat THEN 'own'
    WHEN of_side THEN 'partner'
    WHEN other IS NOT NULL THEN 'opponents'
END;

-- Rows of a hand and a seat, or NULL for none, with what all kinds of facts have in common. The rows
-- have the columns of contracts; own is what was noted of the seat.
CREATE MACRO in_context(seat_rows) AS TABLE
SELECT
    each.*,
    chairs.* EXCLUDE (chair, seating_id, layout, family, ruleset, seating, sitting, step),
    places_after(seat, dealer, each.step, seats) AS from_dealer,
    places_after(seat, maker, each.step, seats) AS from_maker,
    side_named(side_no, maker_side) AS side,
    CASE
        WHEN seat = maker THEN 'maker'
        WHEN side = 'makers' THEN 'partner'
        WHEN side = 'defenders' THEN 'defender'
    END AS role,
    seat_facts[seat + 1] AS own
FROM query_table(seat_rows) AS each
LEFT JOIN facts.chairs ON chairs.chair = each.chair;

CREATE MACRO session_of(played_on, sat_there) AS
    md5_number_lower(concat_ws(chr(10), played_on::VARCHAR, sat_there));
