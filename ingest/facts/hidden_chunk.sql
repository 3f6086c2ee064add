-- The rows of some blocks of graded hands that belong to valid hands of the snapshot, where nothing is
-- there yet or what is there comes of fewer deals. The blocks are in the view found; wanted has the
-- hands of the snapshot.

CREATE OR REPLACE TABLE portion AS
SELECT wanted.hand_no, found.*
FROM found
JOIN wanted USING (content_hash, ruleset)
LEFT JOIN solved.hidden_hands AS earlier ON earlier.hand_no = wanted.hand_no
WHERE earlier.asked IS NULL OR earlier.asked < found.asked
QUALIFY row_number() OVER (PARTITION BY wanted.hand_no ORDER BY found.asked DESC) = 1;

DELETE FROM solved.hidden_hands WHERE hand_no IN (SELECT hand_no FROM portion);
DELETE FROM solved.hidden_rows WHERE hand_no IN (SELECT hand_no FROM portion);

INSERT INTO solved.hidden_hands BY NAME
SELECT hand_no, status, reason, asked, graded, not_graded
FROM portion;

INSERT INTO solved.hidden_rows BY NAME
SELECT
    hand_no,
    unnest("action") AS "action",
    unnest(seat) AS seat,
    unnest(worlds) AS worlds,
    unnest(open) AS open,
    unnest(judged) AS judged,
    unnest(error) AS error,
    unnest(score_open) AS score_open,
    unnest(score_judged) AS score_judged,
    unnest(score_error) AS score_error
FROM portion;
