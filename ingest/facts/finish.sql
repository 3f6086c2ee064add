-- The sessions, and the days on which one may be called otherwise now: those of the hands at work,
-- and those on which somebody sat there who is called otherwise. A session is none any more
-- when all its games began on another day.

CREATE TABLE renewed AS
SELECT session, any_value(day) AS day, min(player_ids) AS player_ids
FROM (FROM met UNION ALL FROM facts.sessions WHERE session IN (SELECT session FROM met))
GROUP BY session;

DELETE FROM facts.sessions WHERE session IN (SELECT session FROM renewed);
INSERT INTO facts.sessions FROM renewed ORDER BY day, session;

CREATE TABLE given_up AS
FROM met_before
WHERE session NOT IN (
    SELECT session FROM facts.seat_rows WHERE day IN (SELECT day FROM met_before) AND session IS NOT NULL
);
DELETE FROM facts.sessions WHERE session IN (SELECT session FROM given_up);

CREATE TABLE renamed AS
SELECT day FROM renewed
UNION
SELECT day FROM given_up
UNION
SELECT day
FROM (SELECT day, unnest(player_ids) AS player FROM facts.sessions)
SEMI JOIN called_otherwise USING (player);

CREATE TABLE called_anew AS FROM facts.sessions WHERE day IN (FROM renamed);
DELETE FROM facts.session_names WHERE day IN (FROM renamed);
