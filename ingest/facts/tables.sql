-- Facts: what figures are counted from, one row per player and hand, per point card and per game.
-- They follow from one snapshot of the warehouse and hold nothing that it does not say. Hands and
-- games have the numbers that the snapshot gives them.
--
-- Who sits in a chair, with whom and under which rules, is the same for all hands of a table. It is
-- stored once; views put it beside the rows of hands and cards, which are numbers for the most part.

CREATE TYPE verdict_key AS ENUM ('valid', 'irregular', 'doubtful', 'incomplete', 'rejected');
CREATE TYPE result_key AS ENUM ('made', 'set', 'void', 'thrown_in');
CREATE TYPE side_key AS ENUM ('makers', 'defenders');
CREATE TYPE role_key AS ENUM ('maker', 'partner', 'defender');
CREATE TYPE trump_key AS ENUM ('S', 'H', 'D', 'C', 'NT', 'seventh');
CREATE TYPE card_key AS ENUM (
    'A', 'K', 'Q', 'J', 'T', '9', '8', '7', '6', '5', 'off five', '4', '3', '2', 'joker'
);
CREATE TYPE taker_key AS ENUM ('own', 'partner', 'opponents');

CREATE TABLE chairs (
    chair INTEGER NOT NULL,
    seating_id INTEGER NOT NULL,
    layout UBIGINT NOT NULL,
    family VARCHAR NOT NULL,
    ruleset VARCHAR NOT NULL,
    seating VARCHAR NOT NULL,
    player VARCHAR NOT NULL,
    partners VARCHAR[] NOT NULL,
    opponents VARCHAR[] NOT NULL,
    kind VARCHAR,
    side_no UTINYINT NOT NULL,
    first_of_side BOOLEAN NOT NULL,
    sitting VARCHAR[] NOT NULL,
    step UTINYINT NOT NULL
);
COMMENT ON TABLE chairs IS 'One row for each seat of each table: who sits there, with whom, under which rules.';
COMMENT ON COLUMN chairs.chair IS 'Eight times seating_id, and the seat.';
COMMENT ON COLUMN chairs.seating_id IS
    'games.seatings: the first of those in which the same players sit alike under the same rules.';
COMMENT ON COLUMN chairs.layout IS 'A hash of that.';
COMMENT ON COLUMN chairs.side_no IS 'The side the player belongs to at this table, from 0.';
COMMENT ON COLUMN chairs.first_of_side IS 'True for one chair of each side.';
COMMENT ON COLUMN chairs.sitting IS 'The players of the table by seat.';
COMMENT ON COLUMN chairs.step IS 'How many seats on is the next in the direction of play.';

CREATE TABLE seat_rows (
    hand BIGINT NOT NULL,
    game_no BIGINT NOT NULL,
    verdict verdict_key NOT NULL,
    source VARCHAR NOT NULL,
    family VARCHAR NOT NULL,
    variant VARCHAR NOT NULL,
    chair INTEGER NOT NULL,
    day DATE,
    session UBIGINT,
    number UINTEGER,
    seat UTINYINT NOT NULL,
    from_dealer UTINYINT NOT NULL,
    from_maker UTINYINT,
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
    first_of_hand BOOLEAN AS (seat = 0),
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
COMMENT ON TABLE seat_rows IS 'What seat_facts says that may change from hand to hand.';

CREATE TABLE card_rows (
    hand BIGINT NOT NULL,
    game_no BIGINT NOT NULL,
    verdict verdict_key NOT NULL,
    source VARCHAR NOT NULL,
    variant VARCHAR NOT NULL,
    chair INTEGER NOT NULL,
    day DATE,
    session UBIGINT,
    number UINTEGER,
    seat UTINYINT NOT NULL,
    from_dealer UTINYINT NOT NULL,
    from_maker UTINYINT,
    side side_key,
    role role_key,
    result result_key,
    bid SMALLINT,
    forced BOOLEAN,
    alone BOOLEAN,
    stake UTINYINT,
    trump trump_key,
    lead_before INTEGER,
    trumps_held UTINYINT,
    points_held USMALLINT,
    card card_key NOT NULL,
    points UTINYINT NOT NULL,
    trick UTINYINT NOT NULL,
    to_makers BOOLEAN,
    won_by taker_key NOT NULL,
    kept BOOLEAN AS (won_by <> 'opponents'),
    led_by taker_key,
    led_from UTINYINT,
    won_from UTINYINT NOT NULL,
    place UTINYINT NOT NULL,
    under_trump BOOLEAN NOT NULL
);
COMMENT ON TABLE card_rows IS 'What card_facts says that may change from hand to hand.';
COMMENT ON COLUMN card_rows.led_from IS 'Seat that led to the trick; NULL where no trick took the card.';
COMMENT ON COLUMN card_rows.won_from IS 'Seat of the taker.';

CREATE MACRO dealer_at(sitting, seat, step, from_dealer) AS
    sitting[((seat::INTEGER - from_dealer * step) % len(sitting) + len(sitting)) % len(sitting) + 1];

-- A seat so many places after the maker in the direction of play. Where two pairs play it has a name:
-- the seats are numbered clockwise, so that the next one on sits to the left.
CREATE MACRO named_from_maker(places, sitting, partners, step) AS CASE
    WHEN places = 0 THEN 'maker'
    WHEN len(sitting) <> 4 OR len(partners) <> 1 THEN concat(places, ' after')
    WHEN places = 2 THEN 'partner'
    WHEN (places = 1) = (step = 1) THEN 'left'
    ELSE 'right'
END;
CREATE MACRO seen_from_maker(other, seat, from_maker, sitting, partners, step) AS CASE
    WHEN other IS NOT NULL AND from_maker IS NOT NULL THEN named_from_maker(
        ((other::INTEGER - seat) * step + from_maker + 8 * len(sitting)) % len(sitting),
        sitting, partners, step
    )
END;

CREATE VIEW seat_facts AS
SELECT
    seat_rows.* EXCLUDE (chair),
    chairs.* EXCLUDE (chair, layout, family, first_of_side, sitting, step),
    dealer_at(sitting, seat, step, from_dealer) AS dealer
FROM seat_rows
JOIN chairs USING (chair);

CREATE VIEW card_facts AS
SELECT
    card_rows.* EXCLUDE (chair, led_from, won_from),
    chairs.* EXCLUDE (chair, layout, first_of_side, sitting, step),
    dealer_at(sitting, seat, step, from_dealer) AS dealer,
    sitting[won_from + 1] AS taker,
    seen_from_maker(seat, seat, from_maker, sitting, partners, step) AS held_at,
    seen_from_maker(led_from, seat, from_maker, sitting, partners, step) AS led_at,
    seen_from_maker(won_from, seat, from_maker, sitting, partners, step) AS taken_at
FROM card_rows
JOIN chairs USING (chair);

COMMENT ON VIEW seat_facts IS
    'One row for each player in each stored hand. What the record or the rules leave open is NULL.';
COMMENT ON COLUMN seat_facts.hand IS 'games.hands.hand_no.';
COMMENT ON COLUMN seat_facts.game_no IS
    'games.games.game_no. A hand without a game counts as one of its own, under its own number.';
COMMENT ON COLUMN seat_facts.seating_id IS
    'Who sat where: games.seatings, the first of those that say the same.';
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

COMMENT ON VIEW card_facts IS
    'One row for each point card that came into play in a hand with an outcome, as the card of the '
    'player who played it.';
COMMENT ON COLUMN card_facts.card IS 'Rank, off five or joker.';
COMMENT ON COLUMN card_facts.trick IS 'Number of the trick, 0 for a card that counts without one: left with the last player, laid off.';
COMMENT ON COLUMN card_facts.kept IS 'Whether its points counted for the side of that player.';
COMMENT ON COLUMN card_facts.to_makers IS 'Whether its points counted for the makers.';
COMMENT ON COLUMN card_facts.won_by IS 'Who took it, seen from that player.';
COMMENT ON COLUMN card_facts.led_by IS 'Who led to the trick, seen from that player.';
COMMENT ON COLUMN card_facts.taker IS 'The player whose side its points counted for: who won the trick, or held the card.';
COMMENT ON COLUMN card_facts.held_at IS
    'Seat of the player as seen from the maker: maker, partner, left or right where two pairs play, '
    'else how many places after the maker in the direction of play: 1 after.';
COMMENT ON COLUMN card_facts.led_at IS 'Seat that led to the trick, called like that; NULL where no trick took the card.';
COMMENT ON COLUMN card_facts.taken_at IS 'Seat of the taker, called like that.';
COMMENT ON COLUMN card_facts.place IS 'As which card of its trick it was played: 1 led, 0 not played.';
COMMENT ON COLUMN card_facts.under_trump IS 'Whether a higher trump lay in the trick before it, so that it could not win.';

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
SELECT
    hand, game_no, verdict, source, family, variant, ruleset, seating, day, session, number, seat,
    player, partners, opponents, kind, dealer, from_dealer, from_maker, side_no, side, role, result,
    bid, forced, alone, stake, trump, lead_before, trumps_held, points_held, seating_id,
    NULL::VARCHAR AS code,
    NULL::VARCHAR AS scope,
    NULL::VARCHAR AS rule
FROM seat_facts
LIMIT 0;
COMMENT ON TABLE finding_facts IS
    'One row for each finding, as that of the player it names; without one, all that is said of a '
    'player or a side is NULL.';

CREATE TABLE sessions (session UBIGINT NOT NULL, day DATE NOT NULL, players VARCHAR[] NOT NULL);
COMMENT ON TABLE sessions IS 'A session is one day of one table: the same players, whatever their seats.';
COMMENT ON COLUMN sessions.session IS 'A hash of day and players, so that it stays the same whatever else is loaded.';
COMMENT ON COLUMN sessions.players IS 'In the order of the seats, of several orders the first.';
CREATE TABLE session_names (session UBIGINT NOT NULL, day DATE NOT NULL, name VARCHAR NOT NULL);

CREATE TABLE facts (
    version INTEGER NOT NULL,
    fingerprint VARCHAR NOT NULL,
    last_hand BIGINT NOT NULL,
    tallied BOOLEAN NOT NULL
);
COMMENT ON TABLE facts IS 'One row: the version of these tables, and which snapshot they follow from.';
COMMENT ON COLUMN facts.last_hand IS 'The highest number of a hand of that snapshot.';
COMMENT ON COLUMN facts.tallied IS
    'Whether there is a table tallies: what each metric counts, summed up for each player in each '
    'game. It is empty where games are too short for it to be worth its room.';
