-- The facts of the hands in table hands, whose id is their row in the snapshot.

CREATE OR REPLACE TABLE contracts AS
SELECT
    id,
    file,
    coalesce(
        game_no, (SELECT count(*) FROM facts.game_names) + id
    )::UINTEGER AS game_no,
    number,
    day,
    seating_id,
    dealer,
    scores_before,
    verdict,
    played,
    deal,
    deeds,
    result,
    maker,
    bid,
    need,
    CASE
        WHEN trump BETWEEN 0 AND 3 THEN trump
        WHEN trump BETWEEN 6 AND 9 THEN trump - 6
        ELSE 4
    END AS suit,
    CASE WHEN trump IN (4, 5) THEN 'NT' WHEN trump = 10 THEN 'seventh' ELSE 'SHDC'[suit + 1] END
        AS trump_known,
    CASE WHEN trump >= 0 THEN trump_known END AS trump,
    forced,
    no_contract,
    CASE WHEN result IS NOT NULL THEN alone IS NOT NULL END AS alone,
    stake,
    points,
    change,
    scores,
    tricks,
    list_sum(points) AS in_play
FROM hands
LEFT JOIN facts.game_names USING (game);

CREATE OR REPLACE TABLE held AS
WITH dealt AS (
    SELECT
        contracts.id AS hand,
        places.seat,
        packet,
        left(string_split(split_part(deal, ',', 1), ' ')[places.seat + 1], packet) AS cards,
        list_reduce(
            [1::UBIGINT << (ord(card) - 48) FOR card IN string_split(cards, '') IF card >= '0'],
            lambda every, card: every | card,
            0::UBIGINT
        ) AS mask,
        contracts.suit,
        contracts.maker,
        suits
    FROM contracts
    JOIN places USING (seating_id)
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

-- A bid is forced when nobody bid before it and all others passed.
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
            AND len(list_distinct([call.seat FOR call IN made[:opening]])) = seats
            THEN made[opening].seat ELSE -1
        END AS forced_seat,
        unnest(made) AS call
    FROM (
        SELECT
            recorded.id AS hand,
            seats,
            must_bid,
            CASE calls
                WHEN '' THEN [
                    {'seat': deed.seat, 'bid': deed.verb <> 1}
                    FOR deed IN actions[:played] IF deed.verb IN (0, 1, 3)
                ]
                ELSE [
                    {'seat': number_at(calls, place + 2), 'bid': number_at(calls, place + 3) <> 1}
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
    count(*) FILTER (deed.verb = 16) AS asks,
    count(*) FILTER (deed.verb = 17) AS reveals,
    count(*) FILTER (deed.verb = 18) AS pairs,
    count(*) FILTER (deed.verb BETWEEN 19 AND 21) AS doubles
FROM (
    SELECT id, unnest([deed FOR deed IN actions[:played] IF deed.verb BETWEEN 16 AND 21]) AS deed
    FROM recorded
    -- In the deeds one of these verbs stands right after the letter of a seat.
    WHERE regexp_matches(deeds, '[e-k][@-E]')
)
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
    list_contains(own_side, winner) AS leader_side_won,
    len([each FOR each IN played IF each.card.trump AND NOT list_contains(own_side, each.seat)])
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
        sides[leader + 1] AS own_side,
        trick_winner(trick) AS winner,
        trick_points(trick) AS points
    FROM (
        SELECT
            hand,
            plays,
            fives,
            partnered,
            sides,
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
                sides,
                [{'seat': play.seat, 'card': cards[play.card + 1]} FOR play IN plays] AS plays
            FROM trick_plays
            JOIN contracts ON contracts.id = hand_id
            JOIN layouts USING (seating_id)
            JOIN rule_cards USING (ruleset, seats, suit)
        )
    )
);

CREATE OR REPLACE TABLE trick_counts AS
SELECT
    hand,
    seat,
    sum(leads)::UTINYINT AS leads,
    sum(trump_leads)::UTINYINT AS trump_leads,
    sum(point_leads)::UTINYINT AS point_leads,
    sum(leads_won)::UTINYINT AS leads_won,
    sum(trumps_drawn)::UTINYINT AS trumps_drawn,
    sum(tricks_won)::UTINYINT AS tricks_won,
    sum(point_tricks_won)::UTINYINT AS point_tricks_won,
    sum(cinch_chances)::UTINYINT AS cinch_chances,
    sum(cinches)::UTINYINT AS cinches
FROM (
    SELECT
        hand,
        leader AS seat,
        1 AS leads,
        lead.trump::INTEGER AS trump_leads,
        (lead.points > 0)::INTEGER AS point_leads,
        leader_side_won::INTEGER AS leads_won,
        CASE WHEN lead.trump THEN drawn ELSE 0 END AS trumps_drawn,
        0 AS tricks_won,
        0 AS point_tricks_won,
        0 AS cinch_chances,
        0 AS cinches
    FROM trick_plays_known
    UNION ALL
    SELECT hand, winner, 0, 0, 0, 0, 0, 1, (points > 0)::INTEGER, 0, 0 FROM trick_plays_known
    UNION ALL
    SELECT hand, third, 0, 0, 0, 0, 0, 0, 0, 1, third_above::INTEGER
    FROM trick_plays_known
    WHERE chance
)
GROUP BY hand, seat;

CREATE OR REPLACE TABLE leads AS
SELECT hand, number AS trick, leader FROM trick_plays_known;

CREATE OR REPLACE TABLE captured AS
SELECT hand_id AS hand, role AS card, points, trick, from_seat, by_seat, side FROM captures;

CREATE OR REPLACE TABLE chunk AS
SELECT
    contracts.id AS hand,
    game_no,
    verdict,
    file AS source,
    places.family,
    places.variant,
    places.ruleset,
    places.seating,
    contracts.day,
    session,
    number,
    places.seat,
    places.player,
    places.partners,
    places.opponents,
    places.kind,
    dealers.player AS dealer,
    ((places.seat::INTEGER - contracts.dealer) * places.step + places.seats * places.seats) % places.seats AS from_dealer,
    ((places.seat::INTEGER - maker) * places.step + places.seats * places.seats) % places.seats AS from_maker,
    places.side AS side_no,
    CASE
        WHEN maker_place.side = places.side THEN 'makers'
        WHEN maker IS NOT NULL THEN 'defenders'
    END AS side,
    CASE
        WHEN places.seat = maker THEN 'maker'
        WHEN maker_place.side = places.side THEN 'partner'
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
    CASE WHEN len(scores_before) = places.sides THEN scores_before[places.side + 1] END - list_max([
        score FOR score, place IN scores_before IF place <> places.side + 1
    ]) AS lead_before,
    contracts.scores[places.side + 1] - list_max([
        score FOR score, place IN contracts.scores IF place <> places.side + 1
    ]) AS lead_after,
    strength.trumps AS trumps_held,
    strength.points AS points_held,
    places.seat = 0 AS first_of_hand,
    places.first_of_side,
    contracts.points[maker_place.side + 1] AS maker_points,
    in_play,
    places.total_points AS pack_points,
    CASE places.scored_in WHEN 'game points' THEN stake ELSE places.total_points END AS available,
    contracts.points[places.side + 1] AS side_points,
    coalesce(own.points, 0) AS own_points,
    change[places.side + 1] AS change,
    coalesce(turns, 0) AS turns,
    coalesce(bids, 0) AS bids,
    coalesce(leads, 0) AS leads,
    coalesce(trump_leads, 0) AS trump_leads,
    coalesce(point_leads, 0) AS point_leads,
    coalesce(leads_won, 0) AS leads_won,
    len(tricks) AS tricks,
    coalesce(tricks_won, 0) AS tricks_won,
    coalesce(point_tricks_won, 0) AS point_tricks_won,
    coalesce(trumps_drawn, 0) AS trumps_drawn,
    coalesce(cinch_chances, 0) AS cinch_chances,
    coalesce(cinches, 0) AS cinches,
    coalesce(asks, 0) AS asks,
    coalesce(reveals, 0) AS reveals,
    coalesce(pairs, 0) AS pairs,
    coalesce(doubles, 0) AS doubles,
    coalesce(faults, 0) AS faults
FROM contracts
JOIN places USING (seating_id)
JOIN places AS dealers
    ON dealers.seating_id = contracts.seating_id AND dealers.seat = contracts.dealer
LEFT JOIN places AS maker_place
    ON maker_place.seating_id = contracts.seating_id AND maker_place.seat = contracts.maker
LEFT JOIN sessions ON sessions.day = contracts.day AND sessions.company = places.company
LEFT JOIN held ON held.hand = contracts.id AND held.seat = places.seat
LEFT JOIN called ON called.hand = contracts.id AND called.seat = places.seat
LEFT JOIN declared ON declared.hand = contracts.id AND declared.seat = places.seat
LEFT JOIN trick_counts ON trick_counts.hand = contracts.id AND trick_counts.seat = places.seat
LEFT JOIN (SELECT hand, by_seat AS seat, sum(points) AS points FROM captured GROUP BY ALL) AS own
    ON own.hand = contracts.id AND own.seat = places.seat
LEFT JOIN faulted ON faulted.hand = contracts.id AND faulted.seat = places.seat
ORDER BY hand, seat;

INSERT INTO facts.seat_facts BY NAME FROM chunk;

INSERT INTO facts.card_facts BY NAME
SELECT
    context.*,
    captured.card,
    captured.points,
    CASE WHEN leads.leader IS NULL THEN 0 ELSE captured.trick END AS trick,
    captured.side = holder.side AS kept,
    captured.side = maker.side AS to_makers,
    CASE
        WHEN by_seat = from_seat THEN 'own'
        WHEN taker.side = holder.side THEN 'partner'
        ELSE 'opponents'
    END AS won_by,
    CASE
        WHEN leads.leader = from_seat THEN 'own'
        WHEN leader.side = holder.side THEN 'partner'
        WHEN leader.side <> holder.side THEN 'opponents'
    END AS led_by
FROM captured
JOIN facts.context ON context.hand = captured.hand AND context.seat = from_seat
JOIN contracts ON contracts.id = captured.hand
JOIN places AS holder ON holder.seating_id = contracts.seating_id AND holder.seat = from_seat
JOIN places AS taker ON taker.seating_id = contracts.seating_id AND taker.seat = by_seat
LEFT JOIN places AS maker
    ON maker.seating_id = contracts.seating_id AND maker.seat = contracts.maker
LEFT JOIN leads ON leads.hand = captured.hand AND leads.trick = captured.trick
LEFT JOIN places AS leader
    ON leader.seating_id = contracts.seating_id AND leader.seat = leads.leader
WHERE context.hand >= (SELECT min(id) FROM hands)
ORDER BY captured.hand, captured.card;
