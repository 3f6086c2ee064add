-- What is written of a draft, in the types of a warehouse. The draft is attached as games; variables
-- say the number of the load, the first number of its bucket and the import whose hands are new. Where
-- no import is said all hands are written, and keep the imports that they came with. In the place of
-- $sat stands sat.sql.

CREATE VIEW hands AS
SELECT * REPLACE (
    if(getvariable('import') IS NULL, import_id, getvariable('load')::INTEGER) AS import_id,
    seating_id + getvariable('base')::BIGINT AS seating_id
)
FROM games.hands
WHERE import_id = coalesce(getvariable('import'), import_id);

CREATE VIEW findings AS
SELECT findings.*, hand_no, coalesce(game_no, hand_no) AS game_no
FROM games.findings
JOIN games.hands USING (hand_id)
LEFT JOIN games.games USING (game);

CREATE VIEW seatings AS
SELECT
    seatings.* REPLACE (seatings.seating_id + getvariable('base')::BIGINT AS seating_id),
    coalesce(sat.hands, 0) AS hands,
    latest
FROM games.seatings
LEFT JOIN $sat AS sat ON sat.seating_id = seatings.seating_id + getvariable('base')::BIGINT;

CREATE VIEW rulesets AS FROM games.rulesets;

CREATE VIEW games AS
SELECT *, md5_number_lower(game) AS game_hash
FROM games.games
JOIN (
    SELECT game, list(hand_no ORDER BY hand_no) AS hand_nos
    FROM games.hands
    WHERE game IS NOT NULL
    GROUP BY game
) USING (game);

CREATE VIEW rejects AS
SELECT * REPLACE (getvariable('load')::INTEGER AS import_id)
FROM games.rejects;

CREATE VIEW long_texts AS FROM games.long_texts;
