-- How many of the hands seatings have, and when: a clock that went back within a game moves nobody
-- to another day.

SELECT
    seating_id,
    count(*)::INTEGER AS hands,
    min(day) FILTER (
        id NOT IN (SELECT hand_id FROM findings WHERE code = 'began-before')
    ) AS first_day,
    max(day) AS last_day,
    max({'at': coalesce(started_at, '0001-01-01'::TIMESTAMP), 'id': id}) AS latest
FROM hands
GROUP BY seating_id
