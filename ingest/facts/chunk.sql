-- The facts of the hands at work whose games have numbers from the variable first on and below
-- behind. Of a hand without an outcome the play is left out: what was trumps is not known there.

CREATE OR REPLACE TABLE contracts AS
SELECT
    work.hand_no,
    work.game_no,
    verdict,
    file AS source,
    family,
    variant,
    -- A game counts where it began.
    coalesce(first_day, hands.day) AS day,
    CASE
        WHEN coalesce(first_day, hands.day) IS NOT NULL
        THEN session_of(coalesce(first_day, hands.day), company)
    END AS session,
    hand,
    result,
    bid,
    need,
    forced,
    no_contract,
    CASE WHEN result IS NOT NULL THEN alone_by IS NOT NULL END AS alone,
    stake,
    CASE
        WHEN trump_code IN ($NO_TRUMP, $NO_TRUMP_REVERSED) THEN 'NT'
        WHEN trump_code = $SEVENTH_CARD THEN 'seventh'
        WHEN trump_code >= $SUIT_REVERSED THEN 'SHDC'[trump_code - $SUIT_REVERSED + 1]
        WHEN trump_code >= 0 THEN 'SHDC'[trump_code + 1]
    END AS suit,
    -- what facts are made of besides
    seating_id,
    table_no,
    seats,
    seat_sides,
    step,
    dealer,
    maker,
    seat_sides[maker + 1] AS maker_side,
    points,
    change,
    total_points,
    scored_in,
    trump_code,
    CASE WHEN has_off_jack THEN (3 - trump_code) * $RANK_COUNT + $JACK END AS off_jack,
    -- Of a record with gaps the figures of seats are not noted, and what was played is not all.
    CASE
        WHEN seat_facts[1].turns IS NULL THEN NULL
        WHEN result IS NOT NULL THEN len(tricks)
        ELSE 0
    END AS tricks,
    CASE
        WHEN result IS NOT NULL AND seat_facts[1].turns IS NOT NULL THEN captures ELSE []
    END AS captures,
    seat_facts
FROM games.hands
JOIN work USING (hand_no)
JOIN layouts USING (seating_id)
WHERE work.game_no >= getvariable('first') AND work.game_no < getvariable('behind');

-- Other games may have numbers in between.
CREATE OR REPLACE TABLE counted AS SELECT DISTINCT game_no FROM contracts;

INSERT INTO met
SELECT session, any_value(day), min(sitting)
FROM contracts
JOIN (SELECT seating_id, sitting FROM layouts) USING (seating_id)
WHERE session IS NOT NULL
GROUP BY session;

CREATE OR REPLACE VIEW players_of_hands AS
SELECT *, chair_of(table_no, seat) AS chair
FROM (SELECT *, unnest(range(seats))::UTINYINT AS seat FROM contracts);

INSERT INTO facts.seat_rows BY NAME
SELECT
    hand_no, game_no, verdict, source, family, variant, chair, day, session, hand, seat, from_dealer,
    from_maker, side, role, result, bid, need, forced, no_contract, alone, stake, suit, tricks AS trick_count,
    own.* EXCLUDE (trump_ranks),
    first_of_side,
    points[maker_side + 1] AS maker_points,
    list_sum(points) AS in_play,
    total_points AS pack_points,
    CASE scored_in WHEN 'game points' THEN stake ELSE total_points END AS available,
    points[side_no + 1] AS side_points,
    change[side_no + 1] AS side_change,
    coalesce(faults, 0) AS faults
FROM in_context('players_of_hands')
LEFT JOIN faulted USING (hand_no, seat);

CREATE OR REPLACE VIEW point_cards AS
SELECT
    * EXCLUDE (capture),
    chair_of(table_no, seat) AS chair,
    captured_card(capture) AS card,
    captured_points(capture) AS card_points,
    captured_trick(capture) AS trick,
    captured_leader(capture) AS leader,
    captured_by(capture) AS won_from,
    captured_place(capture) AS place,
    captured_under(capture) AS under_trump
FROM (
    SELECT *, captured_from(capture)::UTINYINT AS seat
    FROM (SELECT *, unnest(captures) AS capture FROM contracts)
);

INSERT INTO facts.card_rows BY NAME
SELECT
    hand_no, game_no, verdict, source, variant, chair, day, session, hand, seat, from_dealer,
    from_maker, side, role, result, bid, forced, alone, stake, suit, own.lead_before,
    own.trumps_held, own.points_held,
    CASE WHEN card = off_jack THEN 'off jack' ELSE card_role(card, trump_code) END AS point_card,
    card_points,
    CASE WHEN leader IS NULL THEN 0 ELSE trick END AS trick,
    seat_sides[won_from + 1] = maker_side AS to_makers,
    taken_as(won_from, seat, seat_sides[won_from + 1] = side_no) AS won_by,
    taken_as(leader, seat, seat_sides[leader + 1] = side_no) AS led_by,
    leader AS led_from,
    won_from,
    place,
    under_trump
FROM in_context('point_cards');

CREATE OR REPLACE VIEW found AS
SELECT
    contracts.*,
    findings.seat,
    chair_of(table_no, findings.seat) AS chair,
    code,
    scope,
    rule,
    ordinal
FROM games.findings
JOIN games.hands USING (hand_id)
JOIN contracts USING (hand_no);

INSERT INTO facts.finding_facts BY NAME
SELECT
    hand_no, game_no, verdict, source, family, variant, ruleset, seating, day, session, hand, seat,
    player, partners, opponents, kind, sitting[dealer + 1] AS dealer_id, from_dealer, from_maker,
    side_no, side, role, result, bid, forced, alone, stake, suit, own.lead_before, own.trumps_held,
    own.points_held, table_no AS seating_id, code, scope, rule
FROM in_context('found')
JOIN (SELECT seating_id, ruleset, seating, sitting FROM layouts) USING (seating_id)
ORDER BY hand_no, scope DESC, ordinal;
