-- Names change with what is loaded. Where two tables of a day have the same names, their ids keep
-- them apart. The same people meet often, so they are named once.
WITH companies AS (
    SELECT
        player_ids,
        string_agg(name, ', ' ORDER BY seat) AS names,
        string_agg(player, ', ' ORDER BY seat) AS ids
    FROM (
        SELECT player_ids, unnest(player_ids) AS player, generate_subscripts(player_ids, 1) AS seat
        FROM (SELECT DISTINCT player_ids FROM facts.sessions)
    )
    JOIN games.players USING (player)
    GROUP BY player_ids
)
SELECT
    session,
    day,
    day::VARCHAR || ' · ' || CASE count(*) OVER (PARTITION BY day, names)
        WHEN 1 THEN names ELSE ids
    END AS name
FROM facts.sessions
JOIN companies USING (player_ids)
ORDER BY day, session;
