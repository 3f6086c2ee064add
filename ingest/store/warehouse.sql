-- The tables of one published snapshot. DuckDB numbers list elements from 1, the log numbers seats
-- and sides from 0: the entry of seat s is list[s + 1]. Cards and actions are in the codes of
-- schemas/codes.py, which the views take apart. Times are UTC; day is the local day at the table
-- on which the evening began, which lasts until the morning.

CREATE TABLE warehouse (
    schema_version INTEGER NOT NULL,
    state UUID NOT NULL
);
COMMENT ON TABLE warehouse IS 'One row: the version of these tables, and what names this snapshot.';
COMMENT ON COLUMN warehouse.state IS
    'Drawn at random at every publish, so that what was made from a snapshot can name it.';

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
COMMENT ON COLUMN rulesets.ruleset IS 'Goes with every derived number.';
COMMENT ON COLUMN rulesets.total_points IS 'Card points in a hand when every point card is in play.';
COMMENT ON COLUMN rulesets.scored_in IS 'What the running scores count.';
COMMENT ON COLUMN rulesets.options IS 'House rules on top of the variant, as JSON.';
COMMENT ON COLUMN rulesets.policies IS 'Every policy and its value, as JSON.';

CREATE TABLE long_texts (
    text_hash UUID NOT NULL,
    piece INTEGER NOT NULL,
    content BLOB NOT NULL USING COMPRESSION zstd
);
COMMENT ON TABLE long_texts IS
    'Texts of more than 4,080 bytes in pieces, each text once. Where one belongs, seatings.rules, '
    'hands.tail or rejects.text holds a reference to it, ~HASH:BYTES; no text in these columns begins '
    'with ~. tricklog.ingest.store.long_texts puts texts together.';
COMMENT ON COLUMN long_texts.text_hash IS 'The first half of the SHA-256 of the text in UTF-8.';
COMMENT ON COLUMN long_texts.piece IS 'Place of the piece in its text, from 0.';

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
COMMENT ON COLUMN seatings.ruleset IS 'Everything of the hands from verdict on was derived under them.';
COMMENT ON COLUMN seatings.rules IS 'The rules as recorded, in the canonical form of the log; long_texts where they are long.';
COMMENT ON COLUMN seatings.players IS 'Who sat at each seat, as recorded.';

CREATE TABLE hands (
    hand_no BIGINT NOT NULL,
    hand_id VARCHAR NOT NULL USING COMPRESSION zstd,
    content_hash UUID NOT NULL,
    import_id INTEGER NOT NULL,
    file VARCHAR NOT NULL,
    line BIGINT NOT NULL,
    game VARCHAR,
    hand INTEGER,
    started_at TIMESTAMP,
    day DATE,
    seating_id INTEGER NOT NULL,
    dealer UTINYINT,
    scores_before INTEGER[],
    deal VARCHAR NOT NULL USING COMPRESSION zstd,
    deeds VARCHAR NOT NULL USING COMPRESSION zstd,
    tail VARCHAR NOT NULL,
    verdict VARCHAR NOT NULL
        CHECK (verdict IN ('valid', 'irregular', 'doubtful', 'partial', 'incomplete', 'rejected')),
    doubts VARCHAR[] NOT NULL,
    played USMALLINT NOT NULL,
    result VARCHAR CHECK (result IN ('made', 'set', 'void', 'thrown_in')),
    maker UTINYINT,
    bid SMALLINT,
    need SMALLINT,
    trump_code TINYINT,
    forced BOOLEAN,
    no_contract BOOLEAN,
    alone_by VARCHAR CHECK (alone_by IN ('solo', 'tenny')),
    stake UTINYINT,
    points SMALLINT[],
    change SMALLINT[],
    scores INTEGER[],
    winner_side UTINYINT,
    details VARCHAR NOT NULL,
    tricks INTEGER[] NOT NULL,
    captures BIGINT[] NOT NULL,
    call_facts INTEGER[] NOT NULL,
    seat_facts STRUCT(
        trumps_held UTINYINT,
        points_held SMALLINT,
        trump_ranks USMALLINT,
        lead_before INTEGER,
        lead_after INTEGER,
        turns USMALLINT,
        bids USMALLINT,
        leads UTINYINT,
        trump_leads UTINYINT,
        point_leads UTINYINT,
        leads_won UTINYINT,
        tricks_won UTINYINT,
        point_tricks_won UTINYINT,
        trumps_drawn UTINYINT,
        cinch_chances UTINYINT,
        cinches UTINYINT,
        own_points SMALLINT,
        asks USMALLINT,
        reveals USMALLINT,
        pairs USMALLINT,
        doubles USMALLINT
    )[] NOT NULL
);
COMMENT ON TABLE hands IS
    'Accepted hands: the record itself up to tail, with its seating, and what the rules make of it. '
    'A hand that was rejected or stops early has no outcome: result and everything after it up to '
    'winner_side is NULL. A record with gaps has of these what it tells. No two hands have one id.';
COMMENT ON COLUMN hands.hand_no IS 'Numbers may be left out.';
COMMENT ON COLUMN hands.content_hash IS 'Identifies the record: everything in it but ext.';
COMMENT ON COLUMN hands.dealer IS 'Seat that dealt; NULL where that is not recorded.';
COMMENT ON COLUMN hands.scores_before IS
    'Running scores before the hand as recorded, per side; NULL for a side whose score is not recorded.';
COMMENT ON COLUMN hands.deal IS 'Hands dealt, stock and kitty as recorded; view holdings.';
COMMENT ON COLUMN hands.deeds IS
    'Actions as recorded; macro deeds_of. Of a hand with far too many, those that take 4,080 '
    'characters; the rest begins its tail, up to an exclamation mark.';
COMMENT ON COLUMN hands.tail IS
    'What the record says after the actions: the rest of the canonical line. A claim of just these '
    'points, change and scores is ~, a time that started_at gives back is ~ and its offset. '
    'That of a record in version 2 begins with @. '
    'Where it is long it is in long_texts.';
COMMENT ON COLUMN hands.verdict IS 'On the hand by itself, without the findings of its game.';
COMMENT ON COLUMN hands.doubts IS 'Why the hand is doubtful or incomplete, or what a record with gaps leaves out.';
COMMENT ON COLUMN hands.played IS 'Number of recorded actions that were carried out.';
COMMENT ON COLUMN hands.maker IS 'Seat whose contract was played: it won the auction, or plays alone.';
COMMENT ON COLUMN hands.trump_code IS 'The trumps in code, see trump_name().';
COMMENT ON COLUMN hands.forced IS 'Whether the bid was the forced bid of the last to speak.';
COMMENT ON COLUMN hands.no_contract IS
    'Whether nobody bid and the dealer played without a number to reach.';
COMMENT ON COLUMN hands.alone_by IS
    'By which call one player undertook all tricks alone: solo on all cards, tenny on the first ones; '
    'NULL where nobody did.';
COMMENT ON COLUMN hands.stake IS
    'Game points won or lost, 1 where the hand is scored in card points; 0 when nothing counts.';
COMMENT ON COLUMN hands.change IS 'Amount added to the running scores, per side.';
COMMENT ON COLUMN hands.scores IS 'As recomputed.';
COMMENT ON COLUMN hands.winner_side IS 'With this hand.';
COMMENT ON COLUMN hands.details IS
    'What deeds and tricks leave open of holdings, buried cards, calls and plays; view recorded.';
COMMENT ON COLUMN hands.captures IS 'Where the points of each card went; view captures.';
COMMENT ON COLUMN hands.call_facts IS
    'What was called and what else might have been, one number for each call; view call_facts.';
COMMENT ON COLUMN hands.seat_facts IS
    'What figures count of each seat, noted when the hand was replayed; ingest/facts/views.sql says '
    'what each means. trump_ranks are the ranks of the trumps_held, see rank_names(). Of a record with '
    'gaps only the leads are noted.';

CREATE TABLE games (
    game_no BIGINT NOT NULL,
    game VARCHAR NOT NULL,
    rulesets VARCHAR[] NOT NULL,
    hands INTEGER NOT NULL,
    missing INTEGER,
    first_day DATE,
    last_day DATE,
    scores INTEGER[],
    winner_side UTINYINT
);
COMMENT ON TABLE games IS 'Games, made from their hands at every publish.';
COMMENT ON COLUMN games.rulesets IS 'Rules of the hands; more than one when they changed in between.';
COMMENT ON COLUMN games.hands IS 'Those stored, thrown-in ones included.';
COMMENT ON COLUMN games.missing IS 'Numbers below the highest one that no stored hand has.';
COMMENT ON COLUMN games.scores IS 'Those of the last hand.';
COMMENT ON COLUMN games.winner_side IS 'As far as the stored hands tell.';

CREATE TABLE players (
    player VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    aliases VARCHAR[] NOT NULL,
    kind VARCHAR,
    hands INTEGER NOT NULL,
    first_day DATE,
    last_day DATE
);
COMMENT ON TABLE players IS 'Players, made from the hands at every publish.';
COMMENT ON COLUMN players.name IS 'The latest in the records; the id where no record names the player.';
COMMENT ON COLUMN players.aliases IS 'The names in the records, sorted; the first 100 of more.';
COMMENT ON COLUMN players.kind IS 'The last that was recorded.';

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
COMMENT ON COLUMN findings.scope IS
    'hand: seen from the hand alone; game: seen beside the other hands of the game, and made again '
    'whenever a hand of the game arrives.';
COMMENT ON COLUMN findings.ordinal IS 'Order within hand and scope, from 0.';
COMMENT ON COLUMN findings."action" IS 'NULL where the finding hangs on none.';
COMMENT ON COLUMN findings.pointer IS 'Into the record.';
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
COMMENT ON COLUMN rejects.text IS
    'The line as it was read, in long_texts where it is long; of one that is too long, the beginning.';
