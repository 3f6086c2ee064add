-- The sessions, and what they are called.

DELETE FROM facts.sessions;
INSERT INTO facts.sessions
SELECT session, any_value(day) AS day, min(player_ids) AS player_ids
FROM met
GROUP BY session
ORDER BY day, session;

DELETE FROM facts.session_names;
