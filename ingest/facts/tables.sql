-- Facts: what figures are counted from, one row per player and hand, per point card and per game.
-- They follow from one snapshot of the warehouse and hold nothing that it does not say. Hands are
-- numbered by their place in the snapshot, games and sessions by the tables at the end.
-- The types that are not made here list what the snapshot holds: ingest/facts/build.py makes them.

CREATE TYPE verdict_key AS ENUM ('valid', 'irregular', 'doubtful', 'incomplete', 'rejected');
CREATE TYPE result_key AS ENUM ('made', 'set', 'void', 'thrown_in');
CREATE TYPE side_key AS ENUM ('makers', 'defenders');
CREATE TYPE role_key AS ENUM ('maker', 'partner', 'defender');
CREATE TYPE trump_key AS ENUM ('S', 'H', 'D', 'C', 'NT', 'seventh');
CREATE TYPE card_key AS ENUM (
    'A', 'K', 'Q', 'J', 'T', '9', '8', '7', '6', '5', 'off five', '4', '3', '2', 'joker'
);
CREATE TYPE taker_key AS ENUM ('own', 'partner', 'opponents');

CREATE TABLE seat_facts (
    hand UINTEGER NOT NULL,
    game_no UINTEGER NOT NULL,
    verdict verdict_key NOT NULL,
    source source_key NOT NULL,
    family family_key NOT NULL,
    variant variant_key NOT NULL,
    ruleset ruleset_key NOT NULL,
    seating seating_key NOT NULL,
    day DATE,
    session UINTEGER,
    number UINTEGER,
    seat UTINYINT NOT NULL,
    player player_key NOT NULL,
    partners player_key[] NOT NULL,
    opponents player_key[] NOT NULL,
    kind kind_key,
    dealer player_key NOT NULL,
    from_dealer UTINYINT NOT NULL,
    from_maker UTINYINT,
    side_no UTINYINT NOT NULL,
    side side_key,
    role role_key,
    result result_key,
    bid SMALLINT,
    need SMALLINT,
    forced BOOLEAN,
    no_contract BOOLEAN,
    alone BOOLEAN,
    stake UTINYINT,
    trump trump_key,
    lead_before INTEGER,
    lead_after INTEGER,
    trumps_held UTINYINT,
    points_held USMALLINT,
    -- once for each hand, and once for each side of it
    first_of_hand BOOLEAN NOT NULL,
    first_of_side BOOLEAN NOT NULL,
    -- the contract
    maker_points SMALLINT,
    in_play SMALLINT,
    pack_points SMALLINT NOT NULL,
    available SMALLINT,
    -- what came of it for the player and their side
    side_points SMALLINT,
    own_points SMALLINT NOT NULL,
    change SMALLINT,
    -- calls
    turns USMALLINT NOT NULL,
    bids USMALLINT NOT NULL,
    -- play, nothing of a hand without an outcome: what was trumps is not known there
    leads UTINYINT NOT NULL,
    trump_leads UTINYINT NOT NULL,
    point_leads UTINYINT NOT NULL,
    leads_won UTINYINT NOT NULL,
    tricks UTINYINT NOT NULL,
    tricks_won UTINYINT NOT NULL,
    point_tricks_won UTINYINT NOT NULL,
    trumps_drawn UTINYINT NOT NULL,
    cinch_chances UTINYINT NOT NULL,
    cinches UTINYINT NOT NULL,
    asks USMALLINT NOT NULL,
    reveals USMALLINT NOT NULL,
    pairs USMALLINT NOT NULL,
    doubles USMALLINT NOT NULL,
    -- audit
    faults USMALLINT NOT NULL
);
COMMENT ON TABLE seat_facts IS
    'One row for each player in each stored hand. What the record or the rules leave open is NULL.';
COMMENT ON COLUMN seat_facts.hand IS 'Row of the hand in the snapshot, from 0.';
COMMENT ON COLUMN seat_facts.game_no IS
    'The game: game_names. A hand without a game counts as one of its own.';
COMMENT ON COLUMN seat_facts.number IS 'Number of the hand within its game, from 1.';
COMMENT ON COLUMN seat_facts.from_dealer IS
    'Places after the dealer in the direction of play: 1 speaks first, 0 is the dealer.';
COMMENT ON COLUMN seat_facts.from_maker IS
    'Places after the maker in the direction of play, 0 is the maker.';
COMMENT ON COLUMN seat_facts.side_no IS 'The side the player belongs to at this table, from 0.';
COMMENT ON COLUMN seat_facts.side IS 'Whether the player is of the makers; NULL without a maker.';
COMMENT ON COLUMN seat_facts.need IS 'Points the makers had to take.';
COMMENT ON COLUMN seat_facts.trump IS 'Suit that was named, turned round or not; NULL while unknown.';
COMMENT ON COLUMN seat_facts.lead_before IS
    'Recorded score of the side before the hand, less the best of the others.';
COMMENT ON COLUMN seat_facts.lead_after IS 'The same after the hand, as recomputed.';
COMMENT ON COLUMN seat_facts.trumps_held IS
    'Trumps among the cards held during the auction: of the suit the maker named, of the best suit '
    'of each other player, which is the one with the most trumps, then the most points in them.';
COMMENT ON COLUMN seat_facts.points_held IS 'Card points of those trumps.';
COMMENT ON COLUMN seat_facts.first_of_hand IS 'True in one row of each hand.';
COMMENT ON COLUMN seat_facts.first_of_side IS 'True in one row of each side of each hand.';
COMMENT ON COLUMN seat_facts.maker_points IS 'Card points the makers took.';
COMMENT ON COLUMN seat_facts.in_play IS 'Card points all sides took.';
COMMENT ON COLUMN seat_facts.pack_points IS 'Card points when every point card is in play.';
COMMENT ON COLUMN seat_facts.available IS
    'What was at stake in the unit of the scores: the card points of the pack, or the game points.';
COMMENT ON COLUMN seat_facts.own_points IS 'Card points the player took: in tricks they won, and of a two that counts for its holder.';
COMMENT ON COLUMN seat_facts.change IS 'Amount added to the score of the side.';
COMMENT ON COLUMN seat_facts.turns IS
    'Calls, but for a bid that the passes of all others forced the last to speak to make.';
COMMENT ON COLUMN seat_facts.bids IS 'Bids among those calls, also holding the standing bid and undertaking all tricks.';
COMMENT ON COLUMN seat_facts.point_leads IS 'Leads of a card with points.';
COMMENT ON COLUMN seat_facts.leads_won IS 'Tricks the player led and their side won.';
COMMENT ON COLUMN seat_facts.tricks IS 'Complete tricks of the hand.';
COMMENT ON COLUMN seat_facts.point_tricks_won IS 'Tricks with points that the player won.';
COMMENT ON COLUMN seat_facts.trumps_drawn IS 'Trumps of opponents that fell on the player''s leads of trumps.';
COMMENT ON COLUMN seat_facts.cinch_chances IS
    'Tricks in which the player, third of four, could keep a five of trumps from the fourth, an '
    'opponent: a five not played yet and not their own, no trump above it in the trick, and one among '
    'the cards they had still to play.';
COMMENT ON COLUMN seat_facts.cinches IS 'Those of them in which they played a trump above the five.';
COMMENT ON COLUMN seat_facts.faults IS 'Findings that name the player.';

CREATE VIEW context AS SELECT * EXCLUDE (
    first_of_hand, first_of_side, maker_points, in_play, pack_points, available, side_points,
    own_points, change, turns, bids, leads, trump_leads, point_leads, leads_won,
    tricks, tricks_won, point_tricks_won, trumps_drawn, cinch_chances, cinches, asks,
    reveals, pairs, doubles, faults
) FROM seat_facts;
COMMENT ON VIEW context IS 'Whose row it is: what rows of every kind have in common.';

CREATE TABLE card_facts AS
SELECT
    *,
    NULL::card_key AS card,
    NULL::UTINYINT AS points,
    NULL::UTINYINT AS trick,
    NULL::BOOLEAN AS kept,
    NULL::BOOLEAN AS to_makers,
    NULL::taker_key AS won_by,
    NULL::taker_key AS led_by
FROM context
LIMIT 0;
COMMENT ON TABLE card_facts IS
    'One row for each point card that came into play in a hand with an outcome, as the card of the '
    'player who played it.';
COMMENT ON COLUMN card_facts.card IS 'Rank, off five or joker.';
COMMENT ON COLUMN card_facts.trick IS 'Number of the trick, 0 for a card that counts without one: left with the last player, laid off.';
COMMENT ON COLUMN card_facts.kept IS 'Whether its points counted for the side of that player.';
COMMENT ON COLUMN card_facts.to_makers IS 'Whether its points counted for the makers.';
COMMENT ON COLUMN card_facts.won_by IS 'Who took it, seen from that player.';
COMMENT ON COLUMN card_facts.led_by IS 'Who led to the trick, seen from that player.';

CREATE TABLE game_facts AS
SELECT
    game_no, verdict, source, family, variant, ruleset, seating, day, session, seat, player, partners,
    opponents, kind, side_no,
    NULL::BOOLEAN AS first_of_game,
    NULL::BOOLEAN AS first_of_side,
    NULL::UINTEGER AS hands,
    NULL::BOOLEAN AS won,
    NULL::INTEGER AS lead_after,
    NULL::INTEGER AS worst_lead,
    NULL::SMALLINT AS target
FROM seat_facts
LIMIT 0;
COMMENT ON TABLE game_facts IS
    'One row for each player in each game that is complete: no number missing, and won by a side.';
COMMENT ON COLUMN game_facts.verdict IS 'valid when all its hands are, otherwise irregular.';
COMMENT ON COLUMN game_facts.lead_after IS 'Final score of the side less the best of the others.';
COMMENT ON COLUMN game_facts.worst_lead IS
    'The lowest such figure after any hand of the game; NULL when it is not known after each.';

CREATE TABLE finding_facts AS
SELECT *, NULL::VARCHAR AS code, NULL::VARCHAR AS scope, NULL::VARCHAR AS rule
FROM context
LIMIT 0;
COMMENT ON TABLE finding_facts IS
    'One row for each finding, as that of the player it names; without one, all that is said of a '
    'player or a side is NULL.';

CREATE TABLE game_names (game_no UINTEGER NOT NULL, game VARCHAR NOT NULL);
CREATE TABLE session_names (session UINTEGER NOT NULL, name VARCHAR NOT NULL);
COMMENT ON TABLE session_names IS 'A session is one day of one table: the same players, whatever their seats.';

CREATE TABLE facts (
    version INTEGER NOT NULL,
    fingerprint VARCHAR NOT NULL,
    tallied BOOLEAN NOT NULL
);
COMMENT ON TABLE facts IS 'One row: the version of these tables, and which snapshot they follow from.';
COMMENT ON COLUMN facts.tallied IS
    'Whether there is a table tallies: what each metric counts, summed up for each player in each '
    'game. It is empty where games are too short for it to be worth its room.';

-- 95 % intervals, which hold the share itself; z is 1.96. NULL without a case.
CREATE MACRO wilson_bound(hits, n, z) AS (
    hits / n + z * z / (2 * n) + z * sqrt((hits / n * (1 - hits / n) + z * z / (4 * n)) / n)
) / (1 + z * z / n);
CREATE MACRO wilson_low(hits, n) AS
    CASE WHEN n > 0 THEN
        greatest(0, least(hits / n, wilson_bound(hits, n, -1.959963984540054::DOUBLE)))
    END;
CREATE MACRO wilson_high(hits, n) AS
    CASE WHEN n > 0 THEN
        least(1, greatest(hits / n, wilson_bound(hits, n, 1.959963984540054::DOUBLE)))
    END;

-- The 97.5 % point of Student's t for some degrees of freedom: exact for one and two, else by the
-- expansion in powers of 1 / df, which is within 0.3 % from three on.
CREATE MACRO student(df) AS CASE
    WHEN df = 1 THEN 12.706204736
    WHEN df = 2 THEN 4.302652730
    WHEN df > 2 THEN 1.959963984540054::DOUBLE
        + 2.372270 / df + 2.822490 / df ** 2 + 2.555851 / df ** 3 + 1.589539 / df ** 4
END;

-- Half the width of the interval of sum(y) / sum(w) where the rows come in clusters that are
-- independent of each other: from the sums over the clusters of y, w, y * y, y * w and w * w.
CREATE MACRO cluster_margin(clusters, y, w, yy, yw, ww) AS
    CASE WHEN clusters > 1 AND w > 0 THEN student(clusters - 1) * sqrt(
        greatest(0, yy - 2 * (y / w) * yw + (y / w) ** 2 * ww) * clusters / (clusters - 1)
    ) / w END;
