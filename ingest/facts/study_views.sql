-- The decisions of solved hands, and the solved hands as their players, beside what facts say of seats
-- and chairs. They are views over solved_hands and decision_rows, wherever the rows of these lie.

-- As in views.sql, which is not read where these views alone are made.
CREATE OR REPLACE MACRO dealer_at(sitting, seat, step, from_dealer) AS
    sitting[((seat::INTEGER - from_dealer * step) % len(sitting) + len(sitting)) % len(sitting) + 1];

CREATE VIEW seat_context AS
SELECT
    hand_no, game_no, verdict, source, family, variant, chair, day, session, hand, seat, from_dealer,
    from_maker, side, role, result, bid, forced, alone, stake, suit, lead_before, trumps_held,
    points_held, first_of_hand, first_of_side, pack_points, available, bids
FROM seat_rows;

CREATE VIEW decision_context AS
SELECT
    seat_context.* EXCLUDE (first_of_hand, first_of_side, pack_points, available, bids),
    "action", trick, turn,
    deed,
    card,
    CASE
        WHEN deed <> 'card' THEN NULL
        WHEN card = 'JO' THEN 'joker'
        ELSE card[1]
    END::card_key AS rank,
    showed, by_makers, before, "after", loss, score_loss, choices, loss_kind
FROM decision_rows
JOIN seat_context USING (hand_no, seat);

CREATE VIEW decision_facts AS
SELECT
    decision_context.* EXCLUDE (chair, family),
    chairs.* EXCLUDE (chair, layout, first_of_side, sitting, step),
    dealer_at(sitting, seat, step, from_dealer) AS dealer_id
FROM decision_context
JOIN chairs USING (chair);

CREATE VIEW study_rows AS
SELECT
    seat_context.* EXCLUDE (pack_points, available, bids),
    unit, need_open, par_low AS par, outcome, made_open, score_par, score_outcome,
    coalesce(own.with_choice, 0) AS with_choice,
    coalesce(own.lost, 0) AS lost,
    CASE WHEN score_par IS NOT NULL THEN coalesce(own.score_lost, 0) END AS score_lost,
    coalesce(own.dearest, 0) AS dearest
FROM solved_hands
JOIN seat_context USING (hand_no)
LEFT JOIN (
    SELECT
        hand_no,
        seat,
        count(*) FILTER (choices > 1) AS with_choice,
        sum(loss)::INTEGER AS lost,
        sum(score_loss)::INTEGER AS score_lost,
        max(loss) AS dearest
    FROM decision_rows
    GROUP BY hand_no, seat
) AS own ON own.hand_no = solved_hands.hand_no AND own.seat = seat_context.seat
WHERE status = 'solved';

CREATE VIEW study_facts AS
SELECT
    study_rows.* EXCLUDE (chair, family, first_of_side),
    chairs.* EXCLUDE (chair, layout, first_of_side, sitting, step),
    study_rows.first_of_side AS first_of_side,
    dealer_at(sitting, seat, step, from_dealer) AS dealer_id
FROM study_rows
JOIN chairs USING (chair);

CREATE VIEW judged_rows AS
SELECT
    decision_context.*,
    worlds, open, judged, open - judged AS luck, score_judged
FROM hidden_rows
JOIN decision_context USING (hand_no, "action")
WHERE deed <> 'silence';

CREATE VIEW judged_facts AS
SELECT
    judged_rows.* EXCLUDE (chair, family),
    chairs.* EXCLUDE (chair, layout, first_of_side, sitting, step),
    dealer_at(sitting, seat, step, from_dealer) AS dealer_id
FROM judged_rows
JOIN chairs USING (chair);

CREATE VIEW luck_rows AS
SELECT
    seat_context.* EXCLUDE (pack_points, available, bids),
    coalesce(own.graded, 0) AS graded,
    coalesce(own.judged, 0)::DECIMAL(12, 3) AS judged,
    coalesce(own.luck, 0)::DECIMAL(12, 3) AS luck
FROM hidden_hands
JOIN seat_context USING (hand_no)
LEFT JOIN (
    SELECT
        hand_no, seat, count(*) AS graded, sum(judged) AS judged, sum(open - judged) AS luck
    FROM hidden_rows
    GROUP BY hand_no, seat
) AS own ON own.hand_no = hidden_hands.hand_no AND own.seat = seat_context.seat
WHERE status = 'graded';

CREATE VIEW luck_facts AS
SELECT
    luck_rows.* EXCLUDE (chair, family, first_of_side),
    chairs.* EXCLUDE (chair, layout, first_of_side, sitting, step),
    luck_rows.first_of_side AS first_of_side,
    dealer_at(sitting, seat, step, from_dealer) AS dealer_id
FROM luck_rows
JOIN chairs USING (chair);

COMMENT ON VIEW decision_facts IS
    'One row for each decision in the play of a solved hand, as that of the player who took it.';
COMMENT ON COLUMN decision_facts."action" IS 'Of several that put surplus down, the last one.';
COMMENT ON COLUMN decision_facts.deed IS
    'card: a card played; surplus: cards put under the first trick; silence: king and queen of trumps '
    'that were not declared though they could be.';
COMMENT ON COLUMN decision_facts.card IS 'Of several, with spaces between.';
COMMENT ON COLUMN decision_facts.rank IS 'Rank of the card played, or joker; NULL for surplus and silence.';
COMMENT ON COLUMN decision_facts.showed IS
    'Whether the player had the trump shown for it although they need not have.';
COMMENT ON COLUMN decision_facts.choices IS 'Legal choices that differ; 1 where there was none.';

COMMENT ON VIEW study_facts IS
    'One row for each player in each hand of which all values with all cards open are known.';
COMMENT ON COLUMN study_facts.unit IS 'What values count: card points, or the tricks of who plays alone.';
COMMENT ON COLUMN study_facts.need_open IS 'What the makers needed, before any pair; NULL without a contract.';
COMMENT ON COLUMN study_facts.par IS 'What the makers take with best play of all from the first card on.';
COMMENT ON COLUMN study_facts.with_choice IS 'Those of the player.';
COMMENT ON COLUMN study_facts.lost IS 'What all decisions of the player cost their side.';
COMMENT ON COLUMN study_facts.score_lost IS
    'The same as a change of scores; NULL where scores do not go by points alone.';
COMMENT ON COLUMN study_facts.dearest IS 'What the one cost that cost most.';

COMMENT ON VIEW judged_facts IS
    'One row for each decision that was graded by what its player knew, with the columns of decision_facts.';
COMMENT ON COLUMN judged_facts.worlds IS 'Deals that fit what the player knew, in which every choice was tried.';
COMMENT ON COLUMN judged_facts.open IS 'See hidden_rows.';

COMMENT ON VIEW luck_facts IS
    'One row for each player in each hand of which every decision with a choice was graded.';
COMMENT ON COLUMN luck_facts.graded IS 'Those of the player.';
COMMENT ON COLUMN luck_facts.judged IS 'All of the hand together.';
COMMENT ON COLUMN luck_facts.luck IS 'All of the hand together.';
