-- The other tables, two of which have columns of those views.

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
COMMENT ON COLUMN game_facts.verdict IS
    'valid when all its hands are, partial when some of them are records with gaps and no hand is '
    'worse, otherwise irregular.';
COMMENT ON COLUMN game_facts.lead_after IS 'That of the last hand.';
COMMENT ON COLUMN game_facts.worst_lead IS
    'The lowest such figure after any hand of the game; NULL when it is not known after each.';

CREATE TABLE finding_facts AS
SELECT
    hand_no, game_no, verdict, source, family, variant, ruleset, seating, day, session, hand, seat,
    player, partners, opponents, kind, dealer_id, from_dealer, from_maker, side_no, side, role, result,
    bid, forced, alone, stake, suit, lead_before, trumps_held, points_held, seating_id,
    NULL::VARCHAR AS code,
    NULL::VARCHAR AS scope,
    NULL::VARCHAR AS rule
FROM seat_facts
LIMIT 0;
COMMENT ON TABLE finding_facts IS
    'One row for each finding, as that of the player it names; without one, all that is said of a '
    'player or a side is NULL.';

CREATE TABLE sessions (session UBIGINT NOT NULL, day DATE NOT NULL, player_ids VARCHAR[] NOT NULL);
COMMENT ON TABLE sessions IS 'A session is one day of one table: the same players, whatever their seats.';
COMMENT ON COLUMN sessions.session IS
    'A hash of day and players, so that it stays the same whatever else is loaded.';
COMMENT ON COLUMN sessions.player_ids IS 'Of several orders the first.';
CREATE TABLE session_names (session UBIGINT NOT NULL, day DATE NOT NULL, name VARCHAR NOT NULL);

CREATE TABLE facts (
    facts_version INTEGER NOT NULL,
    fingerprint VARCHAR NOT NULL,
    last_hand BIGINT NOT NULL,
    tallied BOOLEAN NOT NULL
);
COMMENT ON TABLE facts IS 'One row: the version of these tables, and which snapshot they follow from.';
COMMENT ON COLUMN facts.last_hand IS 'The highest number of a hand of that snapshot.';
COMMENT ON COLUMN facts.tallied IS
    'Whether there is a table tallies: what each metric counts, summed up for each player in each '
    'game. It is empty where games are too short for it to be worth its room.';
