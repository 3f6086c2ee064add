-- How many of the hands seatings have, and which is the latest.

SELECT
    seating_id,
    count(*)::INTEGER AS hands,
    max({'at': coalesce(started_at, '0001-01-01'::TIMESTAMP), 'id': hand_id}) AS latest
FROM hands
GROUP BY seating_id
