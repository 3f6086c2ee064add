-- What makes the codes of schemas/warehouse.sql readable: macros, and a view for each kind of fact.

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

-- What a card is among the point cards of its hand: its rank, off five or joker.
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
CREATE MACRO captured_points(capture) AS capture >> 16;
CREATE MACRO captured_side(capture, seat_sides) AS seat_sides[captured_by(capture) + 1];

CREATE VIEW recorded AS
SELECT
    hands.*,
    seatings.ruleset,
    seatings.players,
    seatings.seat_sides,
    deeds_of(deeds, len(seatings.players)) AS actions,
    split_part(details, ',', 1) AS at_play,
    split_part(details, ',', 2) AS buried,
    split_part(details, ',', 3) AS calls,
    split_part(details, ',', 4) AS plays
FROM hands
JOIN seatings USING (seating_id);
COMMENT ON VIEW recorded IS
    'Every accepted hand with its seating, its details, and its actions, one record each: seat, verb, '
    'and what follows it in code.';

CREATE VIEW seats AS
SELECT
    id AS hand_id,
    seat,
    players[seat + 1].id AS player,
    seat_sides[seat + 1] AS side,
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
    id AS hand_id,
    seat,
    card_names(coalesce(string_split(split_part(deal, ',', 1), ' ')[seat + 1], '')) AS dealt,
    card_names(CASE at_play
        WHEN '' THEN array_to_string([
            deed.argument
            FOR deed IN actions[:played] IF deed.seat = seat AND deed.verb IN ($VERB_BURY, $VERB_PLAY)
        ], '')
        ELSE string_split(at_play, ' ')[seat + 1]
    END) AS at_play
FROM (SELECT *, unnest(range(len(players)))::UTINYINT AS seat FROM recorded);
COMMENT ON VIEW holdings IS 'Cards of each seat when dealt and when the first trick began.';

CREATE VIEW calls AS
SELECT
    id AS hand_id,
    call."action"::USMALLINT AS "action",
    call.seat::UTINYINT AS seat,
    verb_name(call.verb) AS verb,
    call.amount::SMALLINT AS amount,
    bid_name(nullif(call.amount, 0)) AS bid
FROM (
    SELECT
        id,
        unnest(CASE calls
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
                    'action': pair_at(calls, place),
                    'seat': number_at(calls, place + 2),
                    'verb': number_at(calls, place + 3),
                    'amount': pair_at(calls, place + 4)
                }
                FOR place IN range(1, len(calls), 6)
            ]
        END) AS call
    FROM recorded
);
COMMENT ON VIEW calls IS
    'Calls of the auction; amount is 0 for a pass, and for a ditto the bid it holds.';

CREATE VIEW trick_plays AS
SELECT
    id AS hand_id,
    tricks,
    buried,
    sizes,
    CASE plays
        WHEN '' THEN [
            {'action': place - 1, 'seat': deed.seat, 'card': number_at(deed.argument, 1)}
            FOR deed, place IN actions IF deed.verb = $VERB_PLAY
        ][:coalesce(list_sum(sizes), 0)::BIGINT]
        ELSE [
            {
                'action': pair_at(plays, place),
                'seat': number_at(plays, place + 2),
                'card': number_at(plays, place + 3)
            }
            FOR place IN range(1, len(plays), 4)
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
    trick_points(trick)::USMALLINT AS points,
    card_names(CASE number WHEN 1 THEN buried ELSE '' END) AS buried
FROM (
    SELECT *, unnest(tricks) AS trick, generate_subscripts(tricks, 1) AS number FROM trick_plays
);
COMMENT ON VIEW tricks IS 'Complete tricks, their winner and the points that went to their side.';

CREATE VIEW captures AS
SELECT
    id AS hand_id,
    card_name(captured_card(capture)) AS card,
    card_role(captured_card(capture), trump) AS role,
    captured_points(capture)::USMALLINT AS points,
    captured_trick(capture)::UTINYINT AS trick,
    captured_from(capture)::UTINYINT AS from_seat,
    captured_by(capture)::UTINYINT AS by_seat,
    captured_side(capture, seat_sides) AS side
FROM (
    SELECT id, trump, seat_sides, unnest(captures) AS capture
    FROM hands
    JOIN seatings USING (seating_id)
);
COMMENT ON VIEW captures IS
    'Where the points of each card went: from_seat played it, side counts its points.';

CREATE VIEW stored AS
SELECT hands.*, seatings.* EXCLUDE (seating_id), rulesets.variant
FROM hands
JOIN seatings USING (seating_id)
JOIN rulesets USING (ruleset);
COMMENT ON VIEW stored IS 'Every accepted hand with its seating and variant, whatever its verdict.';
