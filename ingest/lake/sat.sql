-- How many of the hands seatings have, and when.

SELECT
    seating_id,
    count(*)::INTEGER AS hands,
    min(day) AS first_day,
    max(day) AS last_day,
    max({'at': coalesce(started_at, '0001-01-01'::TIMESTAMP), 'id': id}) AS latest
FROM hands
GROUP BY seating_id
