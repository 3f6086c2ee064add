-- The sessions, and the days on which one may be called otherwise now: those of the hands at work,
-- and those on which somebody sat there whose name is another one since. A session is none any more
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
WITH sat AS (
    SELECT list(DISTINCT player) AS players
    FROM (SELECT unnest(sitting) AS player FROM layouts)
), companies AS (
    SELECT player_ids, string_agg(name, ', ' ORDER BY seat) AS names
    FROM (
        SELECT player_ids, unnest(player_ids) AS player, generate_subscripts(player_ids, 1) AS seat
        FROM (
            SELECT DISTINCT player_ids
            FROM facts.sessions
            WHERE list_has_any(player_ids, (SELECT players FROM sat))
        )
    )
    JOIN games.players USING (player)
    GROUP BY player_ids
)
SELECT day FROM renewed
UNION
SELECT day FROM given_up
UNION
SELECT met_then.day
FROM facts.sessions AS met_then
JOIN companies USING (player_ids)
LEFT JOIN facts.session_names AS called USING (session)
WHERE called.name IS DISTINCT FROM met_then.day::VARCHAR || ' · ' || names;

CREATE TABLE called_anew AS FROM facts.sessions WHERE day IN (FROM renamed);
DELETE FROM facts.session_names WHERE day IN (FROM renamed);
