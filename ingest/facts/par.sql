-- What auctions could have brought and where results came from, over stocks dealt again. docs/ledger.md
-- defines the words. Like solved hands the rows are kept in the file of solved hands, and the tables
-- are empty in the file of the facts.

CREATE TYPE par_key AS ENUM ('valued', 'refused');
CREATE TYPE part_key AS ENUM ('par', 'auction', 'exchange', 'draw', 'makers', 'defence');
CREATE TYPE whose_key AS ENUM ('luck', 'choice', 'none');

CREATE TABLE par_hands (
    hand_no BIGINT NOT NULL,
    status par_key NOT NULL,
    reason VARCHAR,
    asked SMALLINT NOT NULL,
    stocks SMALLINT,
    par_side UTINYINT,
    par_seat UTINYINT,
    par_trump VARCHAR,
    par_number SMALLINT,
    lowest_bid SMALLINT,
    makeable BOOLEAN,
    passed_out BOOLEAN,
    points_bid SMALLINT,
    "over" SMALLINT,
    beyond BOOLEAN,
    made_share DOUBLE,
    made_open BOOLEAN,
    no_ledger VARCHAR,
    no_points VARCHAR,
    no_score VARCHAR,
    result_points INTEGER,
    result_score INTEGER,
    loose SMALLINT
);
COMMENT ON TABLE par_hands IS
    'One row for each valid hand whose auction was valued, deals passed out among them. A hand without '
    'one has not been looked at yet.';
COMMENT ON COLUMN par_hands.status IS 'valued or refused.';
COMMENT ON COLUMN par_hands.asked IS 'Stocks that it was to be valued on.';
COMMENT ON COLUMN par_hands.par_side IS
    'The side that has the auction at par; NULL where nobody can make the lowest bid and nobody has to.';
COMMENT ON COLUMN par_hands.par_seat IS 'The seat that plays the par contract.';
COMMENT ON COLUMN par_hands.par_trump IS 'Its trumps; NULL where they are named after the kitty.';
COMMENT ON COLUMN par_hands.par_number IS
    'Its number: the lowest that outbids the most that any other side can make.';
COMMENT ON COLUMN par_hands.lowest_bid IS 'The lowest bid there is.';
COMMENT ON COLUMN par_hands.makeable IS 'Whether any side can make the lowest bid.';
COMMENT ON COLUMN par_hands.passed_out IS 'Whether everybody passed, so that nobody bid.';
COMMENT ON COLUMN par_hands."over" IS 'The bid less the most that the side of the maker could make.';
COMMENT ON COLUMN par_hands.beyond IS
    'Whether no contract of their side makes the bid, on any of the stocks.';
COMMENT ON COLUMN par_hands.no_ledger IS 'Why the hand has no ledger, as a sentence; NULL where it has one.';
COMMENT ON COLUMN par_hands.no_points IS 'Why its ledger has no account in points.';
COMMENT ON COLUMN par_hands.result_points IS 'What came of the hand for the makers; the parts sum to it.';
COMMENT ON COLUMN par_hands.result_score IS
    'What the scores of the makers less those of the others changed by.';
COMMENT ON COLUMN par_hands.loose IS
    'Values of which only limits are known; their middle stands for them.';

CREATE TABLE par_sides (
    hand_no BIGINT NOT NULL,
    side_no UTINYINT NOT NULL,
    seats UTINYINT[] NOT NULL,
    seat UTINYINT NOT NULL,
    trump VARCHAR,
    most SMALLINT NOT NULL,
    "ever" SMALLINT NOT NULL,
    mean_points DOUBLE NOT NULL,
    mean_error DOUBLE NOT NULL,
    others_most SMALLINT
);
COMMENT ON TABLE par_sides IS 'One row for each side of a hand with a par: its best contract.';
COMMENT ON COLUMN par_sides.seats IS 'The seats of the side.';
COMMENT ON COLUMN par_sides.seat IS 'The one that would play the best contract.';
COMMENT ON COLUMN par_sides.trump IS 'Those of the best contract; NULL where they are named after the kitty.';
COMMENT ON COLUMN par_sides.most IS
    'The highest number made on at least half of the stocks, by best play of all; below the lowest bid '
    'the side can make none.';
COMMENT ON COLUMN par_sides."ever" IS 'The most points on any of the stocks.';
COMMENT ON COLUMN par_sides.mean_points IS 'The mean of the points over the stocks, at most 16 of them.';
COMMENT ON COLUMN par_sides.mean_error IS 'Standard error of that.';

CREATE TABLE ledger_rows (
    hand_no BIGINT NOT NULL,
    part part_key NOT NULL,
    whose whose_key NOT NULL,
    seat UTINYINT,
    part_points DOUBLE,
    points_error DOUBLE,
    score DOUBLE,
    score_error DOUBLE
);
COMMENT ON TABLE ledger_rows IS
    'The ledger of each hand that has one: a row for each part, for a choice one for each seat that chose. '
    'Amounts are those of the makers.';
COMMENT ON COLUMN ledger_rows.part IS
    'par: what par of the auction is worth with these cards, from which an average deal is taken off '
    'elsewhere; the others as docs/ledger.md has them.';
COMMENT ON COLUMN ledger_rows.whose IS
    'luck; choice; or none, where nothing was left to either in this part.';
COMMENT ON COLUMN ledger_rows.seat IS 'Who chose; NULL for luck, and where there was nothing to choose.';
COMMENT ON COLUMN ledger_rows.part_points IS 'In points; NULL where there is no account in them.';
COMMENT ON COLUMN ledger_rows.points_error IS 'Standard error of the whole part.';
COMMENT ON COLUMN ledger_rows.score IS
    'As a change of the scores of the makers less those of the others; NULL where there is no account.';

CREATE TABLE ledger_seats (
    hand_no BIGINT NOT NULL,
    seat UTINYINT NOT NULL,
    at_par DOUBLE NOT NULL,
    draw DOUBLE NOT NULL,
    own_bids DOUBLE NOT NULL,
    own_exchange DOUBLE NOT NULL,
    own_cards DOUBLE NOT NULL,
    by_partners DOUBLE NOT NULL,
    by_others DOUBLE NOT NULL,
    brought DOUBLE NOT NULL
);
COMMENT ON TABLE ledger_seats IS
    'The same in score as it counts for each seat; where each plays alone for the maker only; brought '
    'is the sum of all other columns.';
