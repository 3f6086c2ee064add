-- What makes the codes of warehouse.sql readable: macros, and a view for each kind of fact.

CREATE MACRO card_name(card) AS CASE
    WHEN card >= 0 THEN ([$CARD_NAMES])[card + 1]
    WHEN card = $NOT_RECORDED THEN $NOT_RECORDED_NAME
    WHEN card = $HIDDEN THEN $HIDDEN_NAME
END;

CREATE MACRO number_at(code, place) AS ord(substr(code, place, 1)) - $ZERO;
CREATE MACRO pair_at(code, place) AS number_at(code, place) * $PAIR_BASE + number_at(code, place + 1);

-- The known cards of a code, each once, in the order of the cards.
CREATE MACRO card_names(code) AS [
    card_name(ord(card) - $ZERO)
    FOR card IN list_sort(list_distinct(string_split(code, ''))) IF card >= $ZERO_LETTER
];

-- The ranks of a set of trumps, as in card_role, from the ace down whatever beats what in the game.
CREATE MACRO rank_names(ranks) AS CASE
    WHEN ranks IS NOT NULL THEN [
        name FOR name, place IN [$TRUMPS_DOWN] IF (ranks >> ([$TRUMP_BITS])[place]) & 1 = 1
    ]
END;

CREATE MACRO trump_name(trump) AS CASE
    WHEN trump >= 0 THEN ([$TRUMP_NAMES])[trump + 1]
    WHEN trump = $NOT_RECORDED THEN $NOT_RECORDED_NAME
    WHEN trump = $HIDDEN THEN $HIDDEN_NAME
END;

CREATE MACRO bid_name(amount) AS CASE
    WHEN amount = $BID_28_56 THEN $BID_28_56_NAME
    WHEN amount > $BID_DOUBLE THEN (amount - $BID_DOUBLE)::VARCHAR || $SUFFIX_DOUBLE
    ELSE amount::VARCHAR
END;

CREATE MACRO verb_name(verb) AS ([$VERB_NAMES])[verb + 1];

-- What a card is among the point cards of its hand: its rank, off five or joker. Whether a jack is the
-- off jack the rules say besides, since jacks of plain suits may carry points.
CREATE MACRO card_role(card, trump) AS CASE
    WHEN card = $JOKER THEN 'joker'
    WHEN card % $RANK_COUNT = $FIVE AND card // $RANK_COUNT <> trump THEN 'off five'
    ELSE left(card_name(card), 1)
END;

-- How a table sits, from the sides of its seats: '4 partners', '5 singles'.
CREATE MACRO seating(seat_sides) AS len(seat_sides)::VARCHAR || CASE
    WHEN list_max(seat_sides) + 1 = len(seat_sides) THEN ' singles' ELSE ' partners'
END;

-- The actions of a hand: its seat, its verb, and what follows it, in code. In the deeds, cards
-- without a seat are played by the next seat, and the next.
CREATE MACRO deeds_of(deeds, seat_count) AS flatten([
    CASE WHEN word >= $FIRST_PLAYER_LETTER THEN [
        {
            'seat': (ord(word) - $FIRST_PLAYER + later) % seat_count,
            'verb': $VERB_PLAY,
            'argument': substr(word, later + 2, 1)
        }
        FOR later IN range(len(word) - 1)
    ]
    ELSE [{'seat': ord(word) - $FIRST_SEAT, 'verb': number_at(word, 2), 'argument': substr(word, 3)}]
    END
    FOR word IN regexp_extract_all(deeds, $DEED)
]);
CREATE MACRO bid_amount(argument) AS list_reduce(
    [ord(digit) - $ZERO FOR digit IN string_split(left(argument, 3), '')],
    lambda amount, digit: amount * $BID_BASE + digit,
    0
);

-- A trick and a capture, from their integers.
CREATE MACRO trick_winner(trick) AS nullif(trick & 7, $UNKNOWN_WINNER);
CREATE MACRO trick_size(trick) AS (trick >> 3) & 7;
CREATE MACRO trick_points(trick) AS trick >> 6;
CREATE MACRO captured_by(capture) AS capture & 7;
CREATE MACRO captured_from(capture) AS (capture >> 3) & 7;
CREATE MACRO captured_card(capture) AS (capture >> 6) & 63;
CREATE MACRO captured_trick(capture) AS (capture >> 12) & 15;
CREATE MACRO captured_leader(capture) AS nullif((capture >> 16) & 7, $NO_LEADER);
CREATE MACRO captured_place(capture) AS (capture >> 19) & 7;
CREATE MACRO captured_under(capture) AS ((capture >> 22) & 1)::BOOLEAN;
CREATE MACRO captured_points(capture) AS capture >> 23;
CREATE MACRO captured_side(capture, seat_sides) AS seat_sides[captured_by(capture) + 1];

-- A call, from its integer.
CREATE MACRO called_by(call) AS call & 7;
CREATE MACRO called_verb(call) AS (call >> 3) & 3;
CREATE MACRO called_over(call) AS nullif((call >> 5) & 7, $NOBODY_BID);
CREATE MACRO called_by_choice(call) AS ((call >> 8) & 1)::BOOLEAN;
CREATE MACRO called_amount(call) AS (call >> 15) & 4095;
CREATE MACRO called_lowest(call) AS nullif(((call >> 9) & 63) | ((call >> 27) << 6), 0);

CREATE VIEW recorded AS
SELECT
    hands.*,
    seatings.ruleset,
    seatings.players,
    seatings.seat_sides,
    deeds_of(deeds, len(seatings.players)) AS actions,
    split_part(details, ',', 1) AS at_play_code,
    split_part(details, ',', 2) AS buried_code,
    split_part(details, ',', 3) AS calls_code,
    split_part(details, ',', 4) AS plays_code
FROM hands
JOIN seatings USING (seating_id);
COMMENT ON VIEW recorded IS
    'Every accepted hand with its seating, its details, and its actions, one record each: seat, verb, '
    'and what follows it in code.';

CREATE VIEW seats AS
SELECT
    hand_id,
    seat,
    players[seat + 1].id AS player,
    seat_sides[seat + 1] AS side_no,
    seat = dealer AS is_dealer,
    coalesce(seat = maker, FALSE) AS is_maker
FROM (
    SELECT *, unnest(range(len(players)))::UTINYINT AS seat
    FROM hands
    JOIN seatings USING (seating_id)
);
COMMENT ON VIEW seats IS 'Who sat where: one row per hand and seat.';

CREATE VIEW holdings AS
SELECT
    hand_id,
    seat,
    card_names(coalesce(string_split(split_part(deal, ',', 1), ' ')[seat + 1], '')) AS dealt,
    card_names(CASE at_play_code
        WHEN '' THEN array_to_string([
            deed.argument
            FOR deed IN actions[:played] IF deed.seat = seat AND deed.verb IN ($VERB_BURY, $VERB_PLAY)
        ], '')
        ELSE string_split(at_play_code, ' ')[seat + 1]
    END) AS at_play
FROM (SELECT *, unnest(range(len(players)))::UTINYINT AS seat FROM recorded);
COMMENT ON VIEW holdings IS 'Cards of each seat when dealt and when the first trick began.';

CREATE VIEW calls AS
SELECT
    hand_id,
    call."action"::USMALLINT AS "action",
    call.seat::UTINYINT AS seat,
    verb_name(call.verb) AS verb,
    call.amount::SMALLINT AS amount,
    bid_name(nullif(call.amount, 0)) AS bid_name
FROM (
    SELECT
        hand_id,
        unnest(CASE calls_code
            WHEN '' THEN [
                {
                    'action': place - 1,
                    'seat': deed.seat,
                    'verb': deed.verb,
                    'amount': CASE deed.verb WHEN $VERB_BID THEN bid_amount(deed.argument) ELSE 0 END
                }
                FOR deed, place IN actions[:played] IF deed.verb IN ($VERB_BID, $VERB_PASS, $VERB_TENNY)
            ]
            ELSE [
                {
                    'action': pair_at(calls_code, place),
                    'seat': number_at(calls_code, place + 2),
                    'verb': number_at(calls_code, place + 3),
                    'amount': pair_at(calls_code, place + 4)
                }
                FOR place IN range(1, len(calls_code), 6)
            ]
        END) AS call
    FROM recorded
);
COMMENT ON VIEW calls IS
    'Calls of the auction; amount is 0 for a pass, and for a ditto the bid it holds.';

CREATE VIEW trick_plays AS
SELECT
    hand_id,
    tricks,
    buried_code,
    sizes,
    CASE plays_code
        WHEN '' THEN [
            {'action': place - 1, 'seat': deed.seat, 'card': number_at(deed.argument, 1)}
            FOR deed, place IN actions IF deed.verb = $VERB_PLAY
        ][:coalesce(list_sum(sizes), 0)::BIGINT]
        ELSE [
            {
                'action': pair_at(plays_code, place),
                'seat': number_at(plays_code, place + 2),
                'card': number_at(plays_code, place + 3)
            }
            FOR place IN range(1, len(plays_code), 4)
        ]
    END AS plays
FROM (SELECT *, [trick_size(trick) FOR trick IN tricks] AS sizes FROM recorded);
COMMENT ON VIEW trick_plays IS
    'Every hand with the cards played to its complete tricks, one record each, and how many cards '
    'each trick has.';

CREATE VIEW plays AS
SELECT
    hand_id,
    play."action"::USMALLINT AS "action",
    trick::UTINYINT AS trick,
    play.seat::UTINYINT AS seat,
    card_name(play.card) AS card
FROM (
    SELECT
        hand_id,
        unnest(plays) AS play,
        unnest(flatten([repeat([trick], size) FOR size, trick IN sizes])) AS trick
    FROM trick_plays
);
COMMENT ON VIEW plays IS 'Cards played to complete tricks.';

CREATE VIEW tricks AS
SELECT
    hand_id,
    number::UTINYINT AS trick,
    plays[coalesce(list_sum(sizes[:number - 1]), 0)::BIGINT + 1].seat::UTINYINT AS leader,
    trick_winner(trick)::UTINYINT AS winner,
    trick_points(trick)::USMALLINT AS trick_points,
    card_names(CASE number WHEN 1 THEN buried_code ELSE '' END) AS buried
FROM (
    SELECT *, unnest(tricks) AS trick, generate_subscripts(tricks, 1) AS number FROM trick_plays
)
WHERE trick_size(trick) > 0;
COMMENT ON VIEW tricks IS 'Complete tricks, their winner and the points that went to their side.';

CREATE VIEW captures AS
SELECT
    hand_id,
    card_name(captured_card(capture)) AS card,
    CASE
        WHEN captured_card(capture) = off_jack THEN 'off jack'
        ELSE card_role(captured_card(capture), trump_code)
    END AS point_card,
    captured_points(capture)::USMALLINT AS card_points,
    captured_trick(capture)::UTINYINT AS trick,
    captured_from(capture)::UTINYINT AS from_seat,
    captured_by(capture)::UTINYINT AS by_seat,
    captured_side(capture, seat_sides) AS side_no,
    captured_leader(capture)::UTINYINT AS leader,
    captured_place(capture)::UTINYINT AS place,
    captured_under(capture) AS under_trump
FROM (
    SELECT
        hand_id, trump_code, seat_sides,
        CASE WHEN has_off_jack THEN (3 - trump_code) * $RANK_COUNT + $JACK END AS off_jack,
        unnest(captures) AS capture
    FROM hands
    JOIN seatings USING (seating_id)
    JOIN (
        SELECT ruleset, (policies->>'off_jack') = 'true' AS has_off_jack FROM rulesets
    ) USING (ruleset)
);
COMMENT ON VIEW captures IS
    'Where the points of each card went: from_seat played it, side_no counts its points. Place is that in '
    'the trick, 1 for the lead, 0 for a card that was not played; under_trump says that a higher trump '
    'lay in the trick before it.';

CREATE VIEW call_facts AS
SELECT
    hand_id,
    number::USMALLINT AS "call",
    seat::UTINYINT AS seat,
    verb_name(called_verb(call)) AS verb,
    called_amount(call)::SMALLINT AS amount,
    bid_name(nullif(called_amount(call), 0)) AS bid_name,
    standing::SMALLINT AS standing,
    CASE
        WHEN called_over(call) IS NULL THEN 'none'
        WHEN called_over(call) = seat THEN 'own'
        WHEN seat_sides[called_over(call) + 1] = seat_sides[seat + 1] THEN 'partner'
        ELSE 'opponents'
    END AS standing_of,
    called_lowest(call)::SMALLINT AS lowest,
    called_by_choice(call) AS had_choice,
    list_max([each.amount FOR each IN partners IF each.verb <> $VERB_PASS])::SMALLINT AS partners_best,
    len([each FOR each IN partners IF each.verb = $VERB_PASS]) > 0 AS partner_passed,
    list_max([each.amount FOR each IN opponents IF each.verb <> $VERB_PASS])::SMALLINT AS opponents_best,
    own.trumps_held,
    own.points_held,
    rank_names(own.trump_ranks) AS ranks_held,
    own.lead_before
FROM (
    SELECT
        *,
        [each FOR each IN before IF each.side = seat_sides[seat + 1] AND each.seat <> seat] AS partners,
        [each FOR each IN before IF each.side <> seat_sides[seat + 1]] AS opponents,
        CASE WHEN called_over(call) IS NOT NULL THEN
            ([each.amount FOR each IN before IF each.verb <> $VERB_PASS])[-1]
        END AS standing
    FROM (
        SELECT
            hand_id,
            number,
            call,
            called_by(call) AS seat,
            seat_sides,
            seat_facts[called_by(call) + 1] AS own,
            [
                {
                    'seat': called_by(each),
                    'side': seat_sides[called_by(each) + 1],
                    'verb': called_verb(each),
                    'amount': called_amount(each)
                }
                FOR each IN call_facts[:number - 1]
            ] AS before
        FROM (
            SELECT
                hand_id,
                seat_sides,
                seat_facts,
                call_facts,
                unnest(call_facts) AS call,
                generate_subscripts(call_facts, 1) AS number
            FROM hands
            JOIN seatings USING (seating_id)
        )
    )
);
COMMENT ON VIEW call_facts IS
    'Calls of the auction, one row each: what was called, what else might have been, what had been '
    'called before, and what the caller held. NULL for what is not known or there was none of.';
COMMENT ON COLUMN call_facts."call" IS 'Number of the call within its hand, from 1.';
COMMENT ON COLUMN call_facts.standing IS 'The bid that stood before the call, as amount has it.';
COMMENT ON COLUMN call_facts.standing_of IS
    'Whose it was, seen from the caller: own, partner, opponents, or none.';
COMMENT ON COLUMN call_facts.lowest IS
    'The lowest number the caller might have bid; NULL when they could bid none. Of a forced bidder '
    'it is the forced bid, and nobody may bid out of turn unless they were passed over.';
COMMENT ON COLUMN call_facts.had_choice IS
    'Whether the caller had more than one legal call, or might have kept silent: not with a forced '
    'bid of one possible number, nor with a pass where nothing could be bid.';
COMMENT ON COLUMN call_facts.partners_best IS 'The highest that partners had bid or held before.';
COMMENT ON COLUMN call_facts.partner_passed IS 'Whether a partner had passed before.';
COMMENT ON COLUMN call_facts.opponents_best IS 'The highest that opponents had bid or held before.';
COMMENT ON COLUMN call_facts.ranks_held IS
    'Ranks of these trumps from the ace down, whatever beats what in the game; off jack, off five and joker too.';

CREATE VIEW stored AS
SELECT
    hands.*,
    trump_name(trump_code) AS trump,
    seatings.* EXCLUDE (seating_id),
    rulesets.variant
FROM hands
JOIN seatings USING (seating_id)
JOIN rulesets USING (ruleset);
COMMENT ON VIEW stored IS 'Every accepted hand with its seating and variant, whatever its verdict.';
