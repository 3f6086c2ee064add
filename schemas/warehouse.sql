-- The tables of one published snapshot. DuckDB numbers list elements from 1, the log numbers seats
-- and sides from 0: the entry of seat s is list[s + 1]. Cards and actions are in the codes of
-- schemas/codes.py, which the views take apart. Times are UTC; day is the local day at the table.

CREATE TABLE warehouse (
    schema_version INTEGER NOT NULL
);
COMMENT ON TABLE warehouse IS 'One row: the version of these tables.';

CREATE TABLE imports (
    import_id INTEGER PRIMARY KEY,
    loaded_at TIMESTAMP NOT NULL,
    tricklog VARCHAR NOT NULL,
    paths VARCHAR[] NOT NULL,
    lines BIGINT NOT NULL,
    accepted BIGINT NOT NULL,
    duplicate BIGINT NOT NULL,
    quarantined BIGINT NOT NULL,
    blank BIGINT NOT NULL,
    CHECK (lines = accepted + duplicate + quarantined + blank)
);
COMMENT ON TABLE imports IS 'Loads that added something; the counts cover every line they read.';
COMMENT ON COLUMN imports.tricklog IS 'Version of Tricklog that derived what this load added.';
COMMENT ON COLUMN imports.paths IS 'What was loaded, as named on the command line.';

CREATE TABLE rulesets (
    ruleset VARCHAR PRIMARY KEY,
    variant VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    title VARCHAR NOT NULL,
    family VARCHAR NOT NULL,
    total_points INTEGER NOT NULL,
    scored_in VARCHAR NOT NULL CHECK (scored_in IN ('card points', 'game points')),
    options VARCHAR NOT NULL,
    policies VARCHAR NOT NULL
);
COMMENT ON TABLE rulesets IS 'Resolved rules that hands were played under, one row per hash.';
COMMENT ON COLUMN rulesets.ruleset IS 'Hash of the resolved rules; goes with every derived number.';
COMMENT ON COLUMN rulesets.total_points IS 'Card points in a hand when every point card is in play.';
COMMENT ON COLUMN rulesets.scored_in IS 'What the running scores count.';
COMMENT ON COLUMN rulesets.options IS 'House rules on top of the variant, as JSON.';
COMMENT ON COLUMN rulesets.policies IS 'Every policy and its value, as JSON.';

CREATE TABLE seatings (
    seating_id INTEGER NOT NULL,
    ruleset VARCHAR NOT NULL,
    rules VARCHAR NOT NULL,
    players STRUCT(id VARCHAR, name VARCHAR, kind VARCHAR)[] NOT NULL,
    seat_sides UTINYINT[] NOT NULL
);
COMMENT ON TABLE seatings IS
    'Who sat where under which rules; the hands of a game mostly share one row. The numbers say '
    'nothing, and two of them may stand for the same seating.';
COMMENT ON COLUMN seatings.ruleset IS
    'Rules that everything of the hands from verdict on was derived under: rulesets.ruleset.';
COMMENT ON COLUMN seatings.rules IS 'The rules as recorded, in the canonical form of the log.';
COMMENT ON COLUMN seatings.players IS 'Who sat at each seat, as recorded.';
COMMENT ON COLUMN seatings.seat_sides IS 'The side each seat plays for.';

CREATE TABLE hands (
    id VARCHAR NOT NULL USING COMPRESSION zstd,
    content_hash UUID NOT NULL,
    import_id INTEGER NOT NULL,
    file VARCHAR NOT NULL,
    line BIGINT NOT NULL,
    game VARCHAR,
    number INTEGER,
    started_at TIMESTAMP,
    day DATE,
    seating_id INTEGER NOT NULL,
    dealer UTINYINT NOT NULL,
    scores_before INTEGER[],
    deal VARCHAR NOT NULL USING COMPRESSION zstd,
    deeds VARCHAR NOT NULL USING COMPRESSION zstd,
    tail VARCHAR NOT NULL,
    verdict VARCHAR NOT NULL
        CHECK (verdict IN ('valid', 'irregular', 'doubtful', 'incomplete', 'rejected')),
    doubts VARCHAR[] NOT NULL,
    played USMALLINT NOT NULL,
    result VARCHAR CHECK (result IN ('made', 'set', 'void', 'thrown_in')),
    maker UTINYINT,
    bid SMALLINT,
    need SMALLINT,
    trump TINYINT,
    forced BOOLEAN,
    no_contract BOOLEAN,
    alone VARCHAR CHECK (alone IN ('solo', 'tenny')),
    stake UTINYINT,
    points SMALLINT[],
    change SMALLINT[],
    scores INTEGER[],
    winner_side UTINYINT,
    details VARCHAR NOT NULL,
    tricks INTEGER[] NOT NULL,
    captures INTEGER[] NOT NULL
);
COMMENT ON TABLE hands IS
    'Accepted hands: the record itself up to tail, with its seating, and what the rules make of it. '
    'A hand that was rejected or stops early has no outcome: result and everything after it up to '
    'winner_side is NULL. No two hands have one id.';
COMMENT ON COLUMN hands.content_hash IS 'Identifies the record: everything in it but ext.';
COMMENT ON COLUMN hands.import_id IS 'The load that brought the hand: imports.import_id.';
COMMENT ON COLUMN hands.number IS 'Number of the hand within its game, from 1.';
COMMENT ON COLUMN hands.seating_id IS 'Who sat where, under which rules: seatings.seating_id.';
COMMENT ON COLUMN hands.scores_before IS 'Running scores before the hand as recorded, per side.';
COMMENT ON COLUMN hands.deal IS 'Hands dealt, stock and kitty as recorded; view holdings.';
COMMENT ON COLUMN hands.deeds IS 'All actions as recorded; macro deeds_of.';
COMMENT ON COLUMN hands.tail IS
    'What the record says after the actions: the rest of the canonical line. A claim of just these '
    'points, change and scores is ~, a time that started_at gives back is ~ and its offset.';
COMMENT ON COLUMN hands.verdict IS 'Verdict on the hand by itself, without the findings of its game.';
COMMENT ON COLUMN hands.doubts IS 'Why the hand is doubtful or incomplete.';
COMMENT ON COLUMN hands.played IS 'Number of recorded actions that were carried out.';
COMMENT ON COLUMN hands.maker IS 'Seat whose contract was played: it won the auction, or plays alone.';
COMMENT ON COLUMN hands.bid IS
    'Winning bid; from 1001 on a special bid, see bid_name(). NULL where there was none to make.';
COMMENT ON COLUMN hands.need IS 'Points the makers had to take; NULL without a bid.';
COMMENT ON COLUMN hands.trump IS 'Trump, see trump_name().';
COMMENT ON COLUMN hands.forced IS 'Whether the bid was the forced bid of the last to speak.';
COMMENT ON COLUMN hands.no_contract IS
    'Whether nobody bid and the dealer played without a number to reach.';
COMMENT ON COLUMN hands.alone IS
    'Whether one player undertook all tricks alone: solo on all cards, tenny on the first ones.';
COMMENT ON COLUMN hands.stake IS
    'Game points won or lost, 1 where the hand is scored in card points; 0 when nothing counts.';
COMMENT ON COLUMN hands.points IS 'Card points taken, per side.';
COMMENT ON COLUMN hands.change IS 'Amount added to the running scores, per side.';
COMMENT ON COLUMN hands.scores IS 'Running scores after the hand as recomputed, per side.';
COMMENT ON COLUMN hands.winner_side IS 'Side that won the game with this hand.';
COMMENT ON COLUMN hands.details IS
    'What deeds and tricks leave open of holdings, buried cards, calls and plays; view recorded.';
COMMENT ON COLUMN hands.tricks IS 'Complete tricks; view tricks.';
COMMENT ON COLUMN hands.captures IS 'Where the points of each card went; view captures.';

CREATE TABLE games (
    game VARCHAR NOT NULL,
    rulesets VARCHAR[] NOT NULL,
    hands INTEGER NOT NULL,
    missing INTEGER,
    first_day DATE,
    last_day DATE,
    scores INTEGER[],
    winner_side UTINYINT
);
COMMENT ON TABLE games IS 'Games, made anew from their hands at every publish.';
COMMENT ON COLUMN games.rulesets IS 'Rules of the hands; more than one when they changed in between.';
COMMENT ON COLUMN games.hands IS 'Hands stored, thrown-in ones included.';
COMMENT ON COLUMN games.missing IS 'Numbers below the highest one that no stored hand has.';
COMMENT ON COLUMN games.scores IS 'Running scores after the last hand, per side.';
COMMENT ON COLUMN games.winner_side IS 'Side that has won, as far as the stored hands tell.';

CREATE TABLE players (
    player VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    aliases VARCHAR[] NOT NULL,
    kind VARCHAR,
    hands INTEGER NOT NULL,
    first_day DATE,
    last_day DATE
);
COMMENT ON TABLE players IS 'Players, made anew from the hands at every publish.';
COMMENT ON COLUMN players.name IS 'The latest name in the records; the id where no record names the player.';
COMMENT ON COLUMN players.aliases IS 'Every name in the records, sorted.';
COMMENT ON COLUMN players.kind IS 'human or bot as last recorded.';

CREATE TABLE findings (
    hand_id VARCHAR NOT NULL,
    scope VARCHAR NOT NULL CHECK (scope IN ('hand', 'game')),
    ordinal USMALLINT NOT NULL,
    code VARCHAR NOT NULL,
    "action" USMALLINT,
    pointer VARCHAR NOT NULL,
    seat UTINYINT,
    facts VARCHAR NOT NULL,
    legal VARCHAR NOT NULL,
    rule VARCHAR NOT NULL,
    message VARCHAR NOT NULL,
    PRIMARY KEY (hand_id, scope, ordinal)
);
COMMENT ON TABLE findings IS
    'Breaches of the rules and claims that do not hold, under the rules of the hand.';
COMMENT ON COLUMN findings.hand_id IS 'hands.id.';
COMMENT ON COLUMN findings.scope IS
    'hand: seen from the hand alone; game: seen beside the other hands of the game, and made anew '
    'whenever a hand of the game arrives.';
COMMENT ON COLUMN findings.ordinal IS 'Order within hand and scope, from 0.';
COMMENT ON COLUMN findings."action" IS 'Index of the action, NULL when it hangs on none.';
COMMENT ON COLUMN findings.pointer IS 'JSON pointer into the record.';
COMMENT ON COLUMN findings.facts IS 'The facts behind the message, as JSON.';
COMMENT ON COLUMN findings.legal IS 'What would have been legal, in log notation.';
COMMENT ON COLUMN findings.rule IS 'Citations into docs/rules, separated by spaces.';

CREATE TABLE rejects (
    reject VARCHAR PRIMARY KEY,
    import_id INTEGER NOT NULL,
    file VARCHAR NOT NULL,
    line BIGINT NOT NULL,
    byte BIGINT NOT NULL,
    code VARCHAR NOT NULL,
    pointer VARCHAR NOT NULL,
    message VARCHAR NOT NULL,
    hint VARCHAR NOT NULL,
    text BLOB NOT NULL
);
COMMENT ON TABLE rejects IS 'Lines in quarantine. The same line with the same trouble is kept once.';
COMMENT ON COLUMN rejects.reject IS 'Hash of code and line; of code and file where there is no line.';
COMMENT ON COLUMN rejects.byte IS 'Byte of the trouble in the file, after decompression.';
COMMENT ON COLUMN rejects.text IS 'The line as it was read; of a line that is too long, its beginning.';

CREATE MACRO card_name(card) AS CASE
    WHEN card >= 0 THEN ([
        '2S', '3S', '4S', '5S', '6S', '7S', '8S', '9S', 'TS', 'JS', 'QS', 'KS', 'AS',
        '2H', '3H', '4H', '5H', '6H', '7H', '8H', '9H', 'TH', 'JH', 'QH', 'KH', 'AH',
        '2D', '3D', '4D', '5D', '6D', '7D', '8D', '9D', 'TD', 'JD', 'QD', 'KD', 'AD',
        '2C', '3C', '4C', '5C', '6C', '7C', '8C', '9C', 'TC', 'JC', 'QC', 'KC', 'AC', 'JO'
    ])[card + 1]
    WHEN card = -1 THEN '?'
    WHEN card = -2 THEN '*'
END;

CREATE MACRO number_at(code, place) AS ord(substr(code, place, 1)) - 48;
CREATE MACRO pair_at(code, place) AS number_at(code, place) * 79 + number_at(code, place + 1);

-- The known cards of a code, each once, in the order of the cards.
CREATE MACRO card_names(code) AS [
    card_name(ord(card) - 48)
    FOR card IN list_sort(list_distinct(string_split(code, ''))) IF card >= '0'
];

CREATE MACRO trump_name(trump) AS CASE
    WHEN trump >= 0 THEN ([
        'S', 'H', 'D', 'C', 'NT', 'NT-reversed', 'S-reversed', 'H-reversed', 'D-reversed',
        'C-reversed', 'seventh'
    ])[trump + 1]
    WHEN trump = -1 THEN '?'
    WHEN trump = -2 THEN '*'
END;

CREATE MACRO bid_name(amount) AS CASE
    WHEN amount = 1001 THEN '28-56'
    WHEN amount > 2000 THEN (amount - 2000)::VARCHAR || '-double'
    ELSE amount::VARCHAR
END;

CREATE MACRO verb_name(verb) AS ([
    'bid', 'pass', 'ditto', 'tenny', 'trump', 'kitty', 'discard', 'discard-up', 'claim', 'draw',
    'rob', 'give', 'fold', 'bury', 'play', 'out', 'ask', 'reveal', 'pair', 'double', 'redouble',
    'super', 'solo', 'show', 'throw-in', 'concede', 'decided'
])[verb + 1];

-- What a card is among the point cards of its hand: its rank, off five or joker.
CREATE MACRO card_role(card, trump) AS CASE
    WHEN card = 52 THEN 'joker'
    WHEN card % 13 = 3 AND card // 13 <> trump THEN 'off five'
    ELSE left(card_name(card), 1)
END;

-- How a table sits, from the sides of its seats: '4 partners', '5 singles'.
CREATE MACRO seating(seat_sides) AS len(seat_sides)::VARCHAR || CASE
    WHEN list_max(seat_sides) + 1 = len(seat_sides) THEN ' singles' ELSE ' partners'
END;

-- Wilson score interval of a share at 95 %; NULL without a case. z is 1.96, its sign the bound.
CREATE MACRO wilson_bound(hits, n, z) AS (
    hits / n + z * z / (2 * n) + z * sqrt((hits / n * (1 - hits / n) + z * z / (4 * n)) / n)
) / (1 + z * z / n);
CREATE MACRO wilson_low(hits, n) AS
    CASE WHEN n > 0 THEN greatest(0, wilson_bound(hits, n, -1.959963984540054::DOUBLE)) END;
CREATE MACRO wilson_high(hits, n) AS
    CASE WHEN n > 0 THEN least(1, wilson_bound(hits, n, 1.959963984540054::DOUBLE)) END;

-- The actions of a hand: its seat, its verb, and what follows it, in code. In the deeds, cards
-- without a seat are played by the next seat, and the next.
CREATE MACRO deeds_of(deeds, seat_count) AS flatten([
    CASE WHEN word >= 'p' THEN [
        {
            'seat': (ord(word) - 112 + later) % seat_count,
            'verb': 14,
            'argument': substr(word, later + 2, 1)
        }
        FOR later IN range(len(word) - 1)
    ]
    ELSE [{'seat': ord(word) - 101, 'verb': number_at(word, 2), 'argument': substr(word, 3)}]
    END
    FOR word IN regexp_extract_all(deeds, '[e-v][^e-v]*')
]);
CREATE MACRO bid_amount(argument) AS list_reduce(
    [ord(digit) - 48 FOR digit IN string_split(left(argument, 3), '')],
    lambda amount, digit: amount * 50 + digit,
    0
);

-- A trick and a capture, from their integers.
CREATE MACRO trick_winner(trick) AS trick & 7;
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
            FOR deed IN actions[:played] IF deed.seat = seat AND deed.verb IN (13, 14)
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
                    'amount': CASE deed.verb WHEN 0 THEN bid_amount(deed.argument) ELSE 0 END
                }
                FOR deed, place IN actions[:played] IF deed.verb IN (0, 1, 3)
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
            FOR deed, place IN actions IF deed.verb = 14
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
COMMENT ON VIEW tricks IS 'Complete tricks, their winner and the points that went to his side.';

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

CREATE VIEW analysed AS
SELECT
    hands.* EXCLUDE (seating_id),
    seatings.ruleset,
    seatings.players,
    seatings.seat_sides,
    seatings.seating,
    rulesets.variant,
    rulesets.title,
    rulesets.total_points,
    rulesets.scored_in,
    CASE rulesets.scored_in WHEN 'game points' THEN stake ELSE rulesets.total_points END
        AS available,
    seat_sides[maker + 1] AS maker_side,
    points[seat_sides[maker + 1] + 1] AS maker_points
FROM hands
JOIN (SELECT *, seating(seat_sides) AS seating FROM seatings) AS seatings USING (seating_id)
JOIN rulesets USING (ruleset)
WHERE verdict = 'valid';
COMMENT ON VIEW analysed IS
    'Hands that figures are made of: the valid ones. Metric verdicts counts what is left out; '
    'available is what was at stake in the hand, in the unit of the scores: all card points, or the '
    'game points.';

CREATE VIEW stored AS
SELECT hands.*, seatings.* EXCLUDE (seating_id), rulesets.variant
FROM hands
JOIN seatings USING (seating_id)
JOIN rulesets USING (ruleset);
COMMENT ON VIEW stored IS 'Every accepted hand with its variant, whatever its verdict.';

-- The filters of the figures. An empty list or NULL lets everything through.
CREATE MACRO passes(hand, variants, player_ids, game_name, since, until) AS
    (len(variants::VARCHAR[]) = 0 OR list_contains(variants::VARCHAR[], hand.variant))
    AND (
        len(player_ids::VARCHAR[]) = 0
        OR list_has_any([player.id FOR player IN hand.players], player_ids::VARCHAR[])
    )
    AND (game_name::VARCHAR IS NULL OR hand.game = game_name::VARCHAR)
    AND (since::DATE IS NULL OR hand.day >= since::DATE)
    AND (until::DATE IS NULL OR hand.day <= until::DATE);

CREATE MACRO analysed_hands(variants, player_ids, game_name, since, until) AS TABLE
    SELECT * FROM analysed AS hand
    WHERE passes(hand, variants, player_ids, game_name, since, until);
CREATE MACRO stored_hands(variants, player_ids, game_name, since, until) AS TABLE
    SELECT * FROM stored AS hand
    WHERE passes(hand, variants, player_ids, game_name, since, until);
