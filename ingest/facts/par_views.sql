-- Valued auctions as their players: par beside what facts say of seats and chairs, and what each part of the
-- ledger brought them. They are views over par_hands, par_sides and ledger_seats, wherever these lie.

CREATE VIEW par_rows AS
SELECT
    seat_context.* EXCLUDE (bids),
    sum(bids) OVER (PARTITION BY hand_no, own.side_no) AS side_bids,
    status, reason, lowest_bid, makeable, passed_out,
    points_bid,
    "over", beyond, stocks, made_share, made_open,
    own.most AS own_most,
    own.others_most AS others_most,
    own.side_no = par_side AS has_par,
    no_ledger, no_score,
    at_par, draw, own_bids, own_exchange, own_cards, by_partners, by_others, brought
FROM par_hands
JOIN seat_context USING (hand_no)
LEFT JOIN (SELECT hand_no, side_no, seats, most, others_most FROM par_sides) AS own
    ON own.hand_no = par_hands.hand_no AND list_contains(seats, seat_context.seat)
LEFT JOIN ledger_seats AS ledger
    ON ledger.hand_no = par_hands.hand_no AND ledger.seat = seat_context.seat;

CREATE VIEW par_facts AS
SELECT
    par_rows.* EXCLUDE (chair, family, first_of_side),
    chairs.* EXCLUDE (chair, layout, first_of_side, sitting, step),
    par_rows.first_of_side AS first_of_side,
    dealer_at(sitting, seat, step, from_dealer) AS dealer_id
FROM par_rows
JOIN chairs USING (chair);

COMMENT ON VIEW par_facts IS 'One row for each player in each hand whose auction was valued, or was refused.';
COMMENT ON COLUMN par_facts.side_bids IS 'Bids of the side, forced ones not counted.';
COMMENT ON COLUMN par_facts.lowest_bid IS 'The lowest bid there is.';
COMMENT ON COLUMN par_facts.makeable IS 'Whether any side can make the lowest bid.';
COMMENT ON COLUMN par_facts.passed_out IS 'Whether everybody passed, so that nobody bid.';
COMMENT ON COLUMN par_facts."over" IS 'The bid less the most that the side of the maker could make.';
COMMENT ON COLUMN par_facts.beyond IS
    'Whether no contract of their side makes the bid, on any of the stocks.';
COMMENT ON COLUMN par_facts.own_most IS
    'The highest number that the side of the player makes on at least half of the stocks.';
COMMENT ON COLUMN par_facts.has_par IS
    'Whether the side of the player has the auction at par; NULL where nobody has.';
COMMENT ON COLUMN par_facts.brought IS 'The sum of all parts.';
