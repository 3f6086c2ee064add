-- The facts of the hands in table hands, whose id is their row in the snapshot.

CREATE OR REPLACE TABLE contracts AS
SELECT
    id,
    file,
    coalesce(
        game_no, (SELECT count(*) FROM facts.game_names) + id
    )::UINTEGER AS game_no,
    number,
    hands.day,
    session,
    seating_id,
    ruleset,
    seats,
    seat_sides,
    partnered,
    must_bid,
    dealer,
    sitting[dealer + 1] AS dealer_player,
    CASE WHEN len(scores_before) = sides THEN scores_before END AS scores_before,
    verdict,
    played,
    deal,
    result,
    maker,
    seat_sides[maker + 1] AS maker_side,
    bid,
    need,
    CASE
        WHEN trump BETWEEN 0 AND 3 THEN trump
        WHEN trump BETWEEN $SUIT_REVERSED AND $SUIT_REVERSED + 3 THEN trump - $SUIT_REVERSED
        ELSE $NO_TRUMP
    END AS suit,
    CASE
        WHEN trump IN ($NO_TRUMP, $NO_TRUMP_REVERSED) THEN 'NT'
        WHEN trump = $SEVENTH_CARD THEN 'seventh'
        WHEN trump >= 0 THEN 'SHDC'[suit + 1]
    END AS trump,
    trump AS trump_code,
    forced,
    no_contract,
    CASE WHEN result IS NOT NULL THEN alone IS NOT NULL END AS alone,
    stake,
    points,
    change,
    scores,
    tricks,
    captures,
    list_sum(points) AS in_play
FROM hands
JOIN layouts USING (seating_id)
LEFT JOIN facts.game_names USING (game)
LEFT JOIN sessions ON sessions.day = hands.day AND sessions.company = layouts.company;

CREATE OR REPLACE TABLE held AS
WITH dealt AS (
    SELECT
        id AS hand,
        unnest(range(seats)) AS seat,
        unnest([
            left(cards, packet) FOR cards IN string_split(split_part(deal, ',', 1), ' ')
        ]) AS cards,
        list_reduce(
            [1::UBIGINT << (ord(card) - 48) FOR card IN string_split(cards, '') IF card >= '0'],
            lambda every, card: every | card,
            0::UBIGINT
        ) AS mask,
        packet,
        suit,
        maker,
        suits
    FROM contracts
    JOIN rule_suits USING (ruleset, seats)
    WHERE deal[1] <> '-'
)
SELECT
    hand,
    seat,
    [
        {
            'trumps': bit_count(mask & named.trumps),
            'points': coalesce(list_sum([
                worth.points * bit_count(mask & worth.cards) FOR worth IN named.worth
            ]), 0)
        }
        FOR named IN suits
    ] AS strengths,
    CASE WHEN seat = maker AND suit < 4 THEN strengths[suit + 1] ELSE list_max(strengths) END
        AS strength
FROM dealt
-- Cards that are not recorded are / and . in code.
WHERE len(cards) = packet AND NOT regexp_matches(cards, '[./]');

-- A bid is forced when nobody bid before it and all others passed; the first speaker, who then has
-- to bid, has passed as well (1.auction, O65, O70).
CREATE OR REPLACE TABLE called AS
SELECT
    hand,
    call.seat AS seat,
    count(*) - any_value(call.seat = forced_seat)::INTEGER AS turns,
    count(*) FILTER (call.bid) - any_value(call.seat = forced_seat)::INTEGER AS bids
FROM (
    SELECT
        hand,
        list_position([call.bid FOR call IN made], TRUE) AS opening,
        CASE WHEN
            must_bid
            AND len(list_distinct([
                call.seat FOR call IN made[:opening - first_must_bid::INTEGER]
            ])) = seats
            THEN made[opening].seat ELSE -1
        END AS forced_seat,
        unnest(made) AS call
    FROM (
        SELECT
            recorded.id AS hand,
            seats,
            must_bid,
            first_must_bid,
            CASE calls
                WHEN '' THEN [
                    {'seat': deed.seat, 'bid': deed.verb <> $VERB_PASS}
                    FOR deed IN actions[:played] IF deed.verb IN ($VERB_BID, $VERB_PASS, $VERB_TENNY)
                ]
                ELSE [
                    {'seat': number_at(calls, place + 2), 'bid': number_at(calls, place + 3) <> $VERB_PASS}
                    FOR place IN range(1, len(calls), 6)
                ]
            END AS made
        FROM recorded
        JOIN layouts USING (seating_id)
    )
)
GROUP BY hand, call.seat;

CREATE OR REPLACE TABLE declared AS
SELECT
    id AS hand,
    deed.seat AS seat,
    count(*) FILTER (deed.verb = $VERB_ASK) AS asks,
    count(*) FILTER (deed.verb = $VERB_REVEAL) AS reveals,
    count(*) FILTER (deed.verb = $VERB_PAIR) AS pairs,
    count(*) FILTER (deed.verb BETWEEN $VERB_DOUBLE AND $VERB_SUPER) AS doubles
FROM (
    SELECT id, unnest(deeds_of(deeds, seats)[:played]) AS deed
    -- In the deeds one of these verbs stands right after the letter of a seat.
    FROM (FROM hands WHERE regexp_matches(deeds, '[$SEAT_LETTERS][$CODE_ASK-$CODE_SUPER]'))
    JOIN layouts USING (seating_id)
)
WHERE deed.verb BETWEEN $VERB_ASK AND $VERB_SUPER
GROUP BY ALL;

-- Every complete trick, with what its cards are under the trump of the hand. The third of four has
-- a chance to cinch when the fourth may still drop a five of trumps that a higher trump would keep.
CREATE OR REPLACE TABLE trick_plays_known AS
SELECT
    hand,
    number,
    leader,
    played[1].card AS lead,
    winner,
    points,
    seat_sides[winner + 1] = own_side AS leader_side_won,
    len([each FOR each IN played IF each.card.trump AND seat_sides[each.seat + 1] <> own_side])
        AS drawn,
    played[3].seat AS third,
    played[3].card.above_five AS third_above,
    CASE WHEN fives > 0 AND partnered AND len(played) = 4 THEN
        fives > len([
            each FOR each, place IN plays
            IF each.card.five AND (place < after_two OR each.seat = played[3].seat)
        ])
        AND NOT played[1].card.above_five
        AND NOT played[2].card.above_five
        AND len([
            each FOR each, place IN plays
            IF place >= after_two AND each.seat = played[3].seat AND each.card.above_five
        ]) > 0
    ELSE FALSE END AS chance
FROM (
    SELECT
        hand,
        number,
        plays,
        fives,
        partnered,
        coalesce(list_sum(sizes[:number - 1]), 0)::BIGINT AS before,
        before + 3 AS after_two,
        plays[before + 1 : before + sizes[number]] AS played,
        played[1].seat AS leader,
        seat_sides,
        seat_sides[leader + 1] AS own_side,
        trick_winner(trick) AS winner,
        trick_points(trick) AS points
    FROM (
        SELECT
            hand,
            plays,
            fives,
            partnered,
            seat_sides,
            sizes,
            unnest(tricks) AS trick,
            generate_subscripts(tricks, 1) AS number
        FROM (
            SELECT
                hand_id AS hand,
                trick_plays.tricks,
                sizes,
                fives,
                partnered,
                seat_sides,
                [{'seat': play.seat, 'card': cards[play.card + 1]} FOR play IN plays] AS plays
            FROM trick_plays
            JOIN contracts ON contracts.id = hand_id
            JOIN rule_cards USING (ruleset, seats, suit)
        )
    )
);

CREATE OR REPLACE TABLE captured AS
SELECT
    id AS hand,
    captured_from(capture) AS seat,
    card_role(captured_card(capture), trump_code) AS card,
    captured_points(capture) AS points,
    captured_by(capture) AS by_seat,
    seat_sides[by_seat + 1] AS counts_for,
    seat_sides[seat + 1] AS own_side,
    leaders[captured_trick(capture)] AS leader,
    CASE WHEN leader IS NULL THEN 0 ELSE captured_trick(capture) END AS trick,
    counts_for = own_side AS kept,
    counts_for = maker_side AS to_makers,
    CASE
        WHEN by_seat = seat THEN 'own'
        WHEN counts_for = own_side THEN 'partner'
        ELSE 'opponents'
    END AS won_by,
    CASE
        WHEN leader = seat THEN 'own'
        WHEN seat_sides[leader + 1] = own_side THEN 'partner'
        WHEN leader IS NOT NULL THEN 'opponents'
    END AS led_by
FROM (
    SELECT id, trump_code, seat_sides, maker_side, leaders, unnest(captures) AS capture
    FROM contracts
    LEFT JOIN (
        SELECT hand AS id, list(leader ORDER BY number) AS leaders
        FROM trick_plays_known
        GROUP BY hand
    ) USING (id)
);

-- What each player did: one row each, from rows that say one thing each.
CREATE OR REPLACE TABLE done AS
SELECT
    hand,
    seat,
    any_value(strength) AS strength,
    coalesce(sum(turns), 0) AS turns,
    coalesce(sum(bids), 0) AS bids,
    coalesce(sum(leads), 0) AS leads,
    coalesce(sum(trump_leads), 0) AS trump_leads,
    coalesce(sum(point_leads), 0) AS point_leads,
    coalesce(sum(leads_won), 0) AS leads_won,
    coalesce(sum(trumps_drawn), 0) AS trumps_drawn,
    coalesce(sum(tricks_won), 0) AS tricks_won,
    coalesce(sum(point_tricks_won), 0) AS point_tricks_won,
    coalesce(sum(cinch_chances), 0) AS cinch_chances,
    coalesce(sum(cinches), 0) AS cinches,
    coalesce(sum(own_points), 0) AS own_points,
    coalesce(sum(asks), 0) AS asks,
    coalesce(sum(reveals), 0) AS reveals,
    coalesce(sum(pairs), 0) AS pairs,
    coalesce(sum(doubles), 0) AS doubles,
    coalesce(sum(faults), 0) AS faults
FROM (
    SELECT id AS hand, unnest(range(seats)) AS seat FROM contracts
    UNION ALL BY NAME
    SELECT hand, seat, strength FROM held
    UNION ALL BY NAME
    SELECT hand, seat, turns, bids FROM called
    UNION ALL BY NAME
    SELECT
        hand,
        leader AS seat,
        1 AS leads,
        lead.trump::INTEGER AS trump_leads,
        (lead.points > 0)::INTEGER AS point_leads,
        leader_side_won::INTEGER AS leads_won,
        CASE WHEN lead.trump THEN drawn END AS trumps_drawn
    FROM trick_plays_known
    UNION ALL BY NAME
    SELECT hand, winner AS seat, 1 AS tricks_won, (points > 0)::INTEGER AS point_tricks_won
    FROM trick_plays_known
    UNION ALL BY NAME
    SELECT hand, third AS seat, 1 AS cinch_chances, third_above::INTEGER AS cinches
    FROM trick_plays_known
    WHERE chance
    UNION ALL BY NAME
    SELECT hand, by_seat AS seat, points AS own_points FROM captured
    UNION ALL BY NAME
    SELECT hand, seat, asks, reveals, pairs, doubles FROM declared
    UNION ALL BY NAME
    SELECT faulted.* FROM faulted JOIN contracts ON contracts.id = hand
)
GROUP BY hand, seat;

INSERT INTO facts.seat_facts BY NAME
SELECT
    hand,
    game_no,
    verdict,
    file AS source,
    family,
    variant,
    places.ruleset,
    seating,
    day,
    session,
    number,
    seat,
    player,
    partners,
    opponents,
    kind,
    dealer_player AS dealer,
    ((seat::INTEGER - dealer) * step + places.seats * places.seats) % places.seats AS from_dealer,
    ((seat::INTEGER - maker) * step + places.seats * places.seats) % places.seats AS from_maker,
    places.side AS side_no,
    CASE WHEN maker_side = places.side THEN 'makers' WHEN maker IS NOT NULL THEN 'defenders' END
        AS side,
    CASE
        WHEN seat = maker THEN 'maker'
        WHEN maker_side = places.side THEN 'partner'
        WHEN maker IS NOT NULL THEN 'defender'
    END AS role,
    result,
    bid,
    need,
    forced,
    no_contract,
    alone,
    stake,
    trump,
    scores_before[places.side + 1] - list_max([
        score FOR score, place IN scores_before IF place <> places.side + 1
    ]) AS lead_before,
    scores[places.side + 1] - list_max([
        score FOR score, place IN scores IF place <> places.side + 1
    ]) AS lead_after,
    strength.trumps AS trumps_held,
    strength.points AS points_held,
    seat = 0 AS first_of_hand,
    first_of_side,
    contracts.points[maker_side + 1] AS maker_points,
    in_play,
    total_points AS pack_points,
    CASE scored_in WHEN 'game points' THEN stake ELSE total_points END AS available,
    contracts.points[places.side + 1] AS side_points,
    own_points,
    change[places.side + 1] AS change,
    turns,
    bids,
    leads,
    trump_leads,
    point_leads,
    leads_won,
    len(tricks) AS tricks,
    tricks_won,
    point_tricks_won,
    trumps_drawn,
    cinch_chances,
    cinches,
    asks,
    reveals,
    pairs,
    doubles,
    faults
FROM done
JOIN contracts ON contracts.id = hand
JOIN places USING (seating_id, seat)
ORDER BY hand, seat;

INSERT INTO facts.card_facts BY NAME
SELECT
    context.*,
    captured.card,
    captured.points,
    captured.trick,
    captured.kept,
    captured.to_makers,
    captured.won_by,
    captured.led_by
FROM captured
JOIN facts.context USING (hand, seat)
WHERE context.hand >= (SELECT min(id) FROM hands)
ORDER BY hand, captured.card;
