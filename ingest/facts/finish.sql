-- The sessions, and what they are called.

DELETE FROM facts.sessions;
INSERT INTO facts.sessions
SELECT session, any_value(day) AS day, min(players) AS players
FROM met
GROUP BY session
ORDER BY day, session;

-- Names change with what is loaded. Where two tables of a day have the same names, their ids keep
-- them apart.
DELETE FROM facts.session_names;
INSERT INTO facts.session_names
SELECT
    session,
    day,
    day::VARCHAR || ' · ' || CASE count(*) OVER (PARTITION BY day, names)
        WHEN 1 THEN names ELSE ids
    END
FROM (
    SELECT
        session,
        any_value(day) AS day,
        string_agg(name, ', ' ORDER BY seat) AS names,
        string_agg(player, ', ' ORDER BY seat) AS ids
    FROM (
        SELECT session, day, unnest(players) AS player, generate_subscripts(players, 1) AS seat
        FROM facts.sessions
    )
    JOIN games.players USING (player)
    GROUP BY session
)
ORDER BY day, session;
