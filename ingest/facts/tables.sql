-- Facts: what figures are counted from, one row per player and hand, per point card and per game.
-- They follow from one snapshot of the warehouse and hold nothing that it does not say. Hands and
-- games have the numbers that the snapshot gives them.
--
-- Who sits in a chair, with whom and under which rules, is the same for all hands of a table. It is
-- stored once; views put it beside the rows of hands and cards, which are numbers for the most part.

CREATE TYPE verdict_key AS ENUM ('valid', 'irregular', 'doubtful', 'partial', 'incomplete', 'rejected');
CREATE TYPE result_key AS ENUM ('made', 'set', 'void', 'thrown_in');
CREATE TYPE side_key AS ENUM ('makers', 'defenders');
CREATE TYPE role_key AS ENUM ('maker', 'partner', 'defender');
CREATE TYPE suit_key AS ENUM ('S', 'H', 'D', 'C', 'NT', 'seventh');
CREATE TYPE card_key AS ENUM (
    $TRUMPS_DOWN
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
    'The first of those in which the same players sit alike under the same rules.';
COMMENT ON COLUMN chairs.layout IS 'A hash of that.';
COMMENT ON COLUMN chairs.side_no IS 'The one that the player belongs to at this table.';
COMMENT ON COLUMN chairs.sitting IS 'The players of the table by seat.';
COMMENT ON COLUMN chairs.step IS 'How many seats on is the next in the direction of play.';

CREATE TABLE seat_rows (
    hand_no BIGINT NOT NULL,
    game_no BIGINT NOT NULL,
    verdict verdict_key NOT NULL,
    source VARCHAR NOT NULL,
    family VARCHAR NOT NULL,
    variant VARCHAR NOT NULL,
    chair INTEGER NOT NULL,
    day DATE,
    session UBIGINT,
    hand UINTEGER,
    seat UTINYINT NOT NULL,
    from_dealer UTINYINT,
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
    suit suit_key,
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
    own_points SMALLINT,
    side_change SMALLINT,
    -- calls; with the play NULL of a record with gaps
    turns USMALLINT,
    bids USMALLINT,
    -- play, nothing of a hand without an outcome: what was trumps is not known there
    leads UTINYINT,
    trump_leads UTINYINT,
    point_leads UTINYINT,
    leads_won UTINYINT,
    trick_count UTINYINT,
    tricks_won UTINYINT,
    point_tricks_won UTINYINT,
    trumps_drawn UTINYINT,
    cinch_chances UTINYINT,
    cinches UTINYINT,
    asks USMALLINT,
    reveals USMALLINT,
    pairs USMALLINT,
    doubles USMALLINT,
    -- audit
    faults USMALLINT NOT NULL
);
COMMENT ON TABLE seat_rows IS 'What seat_facts says that may change from hand to hand.';

CREATE TABLE card_rows (
    hand_no BIGINT NOT NULL,
    game_no BIGINT NOT NULL,
    verdict verdict_key NOT NULL,
    source VARCHAR NOT NULL,
    variant VARCHAR NOT NULL,
    chair INTEGER NOT NULL,
    day DATE,
    session UBIGINT,
    hand UINTEGER,
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
    suit suit_key,
    lead_before INTEGER,
    trumps_held UTINYINT,
    points_held USMALLINT,
    point_card card_key NOT NULL,
    card_points UTINYINT NOT NULL,
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
