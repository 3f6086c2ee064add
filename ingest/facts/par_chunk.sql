-- The rows of some blocks of valued auctions that belong to valid hands of the snapshot, where nothing is
-- there yet or what is there comes of fewer stocks. The blocks are in the view found; wanted has the
-- hands of the snapshot.

CREATE OR REPLACE TABLE portion AS
SELECT wanted.hand_no, found.*
FROM found
JOIN wanted USING (content_hash, ruleset)
LEFT JOIN solved.par_hands AS earlier ON earlier.hand_no = wanted.hand_no
WHERE earlier.asked IS NULL OR earlier.asked < found.asked
QUALIFY row_number() OVER (PARTITION BY wanted.hand_no ORDER BY found.asked DESC) = 1;

DELETE FROM solved.par_hands WHERE hand_no IN (SELECT hand_no FROM portion);
DELETE FROM solved.par_sides WHERE hand_no IN (SELECT hand_no FROM portion);
DELETE FROM solved.ledger_rows WHERE hand_no IN (SELECT hand_no FROM portion);
DELETE FROM solved.ledger_seats WHERE hand_no IN (SELECT hand_no FROM portion);

INSERT INTO solved.par_hands BY NAME
SELECT
    hand_no, status, reason, asked, stocks, par_side, par_seat, par_trump, par_number, lowest AS lowest_bid, makeable, passed_out,
    bid AS points_bid,
    "over", beyond, made_share, made_open, no_ledger, no_points, no_score, result_points,
    result_score, loose
FROM portion;

INSERT INTO solved.par_sides BY NAME
SELECT
    *,
    max(most) OVER (
        PARTITION BY hand_no
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW
    ) AS others_most
FROM (
    SELECT
        hand_no,
        unnest(side) AS side_no,
        unnest(side_seats) AS seats,
        unnest(side_seat) AS seat,
        unnest(side_trump) AS trump,
        unnest(side_most) AS most,
        unnest(side_ever) AS "ever",
        unnest(side_points) AS mean_points,
        unnest(side_points_error) AS mean_error
    FROM portion
);

CREATE OR REPLACE TABLE terms AS
SELECT
    hand_no,
    unnest(term_part)::solved.part_key AS part,
    unnest(term_whose)::solved.whose_key AS whose,
    unnest(term_seat) AS seat,
    unnest(term_points) AS part_points,
    unnest(term_points_error) AS points_error,
    unnest(term_score) AS score,
    unnest(term_score_error) AS score_error
FROM portion;

INSERT INTO solved.ledger_rows BY NAME FROM terms;

-- Whoever is seen from: partners share the side of the makers or are both against it.
CREATE OR REPLACE TABLE sitting AS
SELECT
    hand_no,
    seat,
    makers,
    list_contains(makers, seat) AS made,
    result_score
FROM (
    SELECT hand_no, makers, alone, result_score, unnest(range(seats))::UTINYINT AS seat
    FROM portion
    WHERE no_ledger IS NULL AND no_score IS NULL AND status = 'valued'
)
WHERE list_contains(makers, seat) OR NOT alone;

INSERT INTO solved.ledger_seats BY NAME
SELECT
    hand_no,
    sitting.seat AS seat,
    coalesce(sum(sign * score) FILTER (part = 'par'), 0) AS at_par,
    coalesce(sum(sign * score) FILTER (part = 'draw'), 0) AS draw,
    coalesce(sum(sign * score) FILTER (is_own AND part = 'auction'), 0) AS own_bids,
    coalesce(sum(sign * score) FILTER (is_own AND part = 'exchange'), 0) AS own_exchange,
    coalesce(sum(sign * score) FILTER (is_own AND part IN ('makers', 'defence')), 0) AS own_cards,
    coalesce(sum(sign * score) FILTER (NOT is_own AND is_same), 0) AS by_partners,
    coalesce(sum(sign * score) FILTER (NOT is_same), 0) AS by_others,
    any_value(sign * result_score)::DOUBLE AS brought
FROM (
    SELECT
        sitting.hand_no,
        sitting.seat,
        CASE WHEN made THEN 1 ELSE -1 END AS sign,
        part,
        score,
        terms.seat = sitting.seat AS is_own,
        list_contains(makers, terms.seat) = made AS is_same,
            result_score
    FROM sitting
    JOIN terms USING (hand_no)
) AS sitting
GROUP BY hand_no, sitting.seat;
