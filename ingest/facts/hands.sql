-- The hands at work, as the views of the warehouse want them; the id is the row in the snapshot.
CREATE TABLE hands AS
SELECT * EXCLUDE (
    content_hash, import_id, line, started_at, tail, doubts, winner_side
) REPLACE (rowid AS id)
FROM games.hands
LIMIT 0;
CREATE VIEW seatings AS FROM games.seatings;
CREATE VIEW rulesets AS FROM games.rulesets;
