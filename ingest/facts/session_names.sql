-- Names change with what is loaded. Where two tables of a day have the same names, their ids keep
-- them apart. The same people meet often, so they are named once.
WITH companies AS (
    SELECT
        players,
        string_agg(name, ', ' ORDER BY seat) AS names,
        string_agg(player, ', ' ORDER BY seat) AS ids
    FROM (
        SELECT players, unnest(players) AS player, generate_subscripts(players, 1) AS seat
        FROM (SELECT DISTINCT players FROM facts.sessions)
    )
    JOIN games.players USING (player)
    GROUP BY players
)
SELECT
    session,
    day,
    day::VARCHAR || ' · ' || CASE count(*) OVER (PARTITION BY day, names)
        WHEN 1 THEN names ELSE ids
    END AS name
FROM facts.sessions
JOIN companies USING (players)
ORDER BY day, session;
