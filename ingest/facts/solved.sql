-- What hands are worth with all cards open, and what each decision cost. docs/solver.md defines the
-- words. The tables are empty in the file of the facts: what was solved is kept in a file of its own,
-- which takes their place when facts are opened, see tricklog.ingest.facts.solved.

CREATE TYPE solved_key AS ENUM ('solved', 'limits', 'refused');
CREATE TYPE unit_key AS ENUM ('points', 'tricks');
CREATE TYPE decision_key AS ENUM ('card', 'surplus', 'silence');
CREATE TYPE graded_key AS ENUM ('graded', 'partly', 'refused');

CREATE TABLE solved_hands (
    hand_no BIGINT NOT NULL,
    status solved_key NOT NULL,
    reason VARCHAR,
    unit unit_key,
    need_open SMALLINT,
    par_low SMALLINT,
    par_high SMALLINT,
    outcome SMALLINT,
    made_open BOOLEAN,
    losses_makers SMALLINT,
    losses_others SMALLINT,
    score_par INTEGER,
    score_outcome INTEGER,
    no_score VARCHAR,
    decisions UTINYINT NOT NULL,
    with_choice UTINYINT NOT NULL
);
COMMENT ON TABLE solved_hands IS
    'One row for each valid hand that was solved. A hand without one has not been looked at yet.';
COMMENT ON COLUMN solved_hands.status IS 'solved: every value is known; limits: some lie within limits only.';
COMMENT ON COLUMN solved_hands.unit IS 'What values count: card points, or the tricks of who plays alone.';
COMMENT ON COLUMN solved_hands.need_open IS 'What the makers needed, before any pair; NULL without a contract.';
COMMENT ON COLUMN solved_hands.par_low IS
    'The least that the value at the first card may be; par itself where par_high is the same.';
COMMENT ON COLUMN solved_hands.losses_makers IS
    'What decisions of the makers cost them together; NULL where a value is not known.';
COMMENT ON COLUMN solved_hands.losses_others IS 'The same of the others: outcome = par - makers + others.';
COMMENT ON COLUMN solved_hands.score_par IS
    'What the scores of the makers less those of the others would have changed by, had par been taken.';
COMMENT ON COLUMN solved_hands.score_outcome IS
    'What they changed by with the points that were taken; NULL where scores do not go by points alone.';
COMMENT ON COLUMN solved_hands.decisions IS 'Decisions of the play: its rows in decision_rows.';

CREATE TABLE decision_rows (
    hand_no BIGINT NOT NULL,
    "action" USMALLINT NOT NULL,
    seat UTINYINT NOT NULL,
    trick UTINYINT NOT NULL,
    turn UTINYINT NOT NULL,
    deed decision_key NOT NULL,
    card VARCHAR NOT NULL,
    showed BOOLEAN NOT NULL,
    by_makers BOOLEAN NOT NULL,
    before SMALLINT,
    after SMALLINT,
    loss SMALLINT,
    score_loss INTEGER,
    choices UTINYINT NOT NULL,
    loss_kind VARCHAR
);
COMMENT ON TABLE decision_rows IS
    'One row for each decision in the play of a solved hand, in no order; none of a hand refused.';
COMMENT ON COLUMN decision_rows."action" IS 'Of several that put surplus down, the last one.';
COMMENT ON COLUMN decision_rows.deed IS
    'card: a card played; surplus: cards put under the first trick; silence: king and queen of trumps '
    'that were not declared though they could be.';
COMMENT ON COLUMN decision_rows.card IS 'Of several, with spaces between.';
COMMENT ON COLUMN decision_rows.showed IS
    'Whether the player had the trump shown for it although they need not have.';
COMMENT ON COLUMN decision_rows.before IS 'The value before it; NULL where only limits are known.';
COMMENT ON COLUMN decision_rows.after IS 'The value after it; before of the next one.';
COMMENT ON COLUMN decision_rows.choices IS 'Legal choices that differ; 1 where there was none.';

CREATE TABLE hidden_hands (
    hand_no BIGINT NOT NULL,
    status graded_key NOT NULL,
    reason VARCHAR,
    asked USMALLINT NOT NULL,
    graded UTINYINT NOT NULL,
    not_graded UTINYINT NOT NULL
);
COMMENT ON TABLE hidden_hands IS
    'One row for each valid hand whose decisions were graded by what their players knew. '
    'docs/solver.md defines the words.';
COMMENT ON COLUMN hidden_hands.status IS
    'graded: every decision with a choice was; partly: some were not, see reason; refused: none was.';
COMMENT ON COLUMN hidden_hands.reason IS
    'Of one that was graded in part, why the first decision that was not graded was not.';
COMMENT ON COLUMN hidden_hands.asked IS 'Deals, for each decision.';
COMMENT ON COLUMN hidden_hands.graded IS 'Rows in hidden_rows.';
COMMENT ON COLUMN hidden_hands.not_graded IS 'Decisions with a choice that were not.';

CREATE TABLE hidden_rows (
    hand_no BIGINT NOT NULL,
    "action" USMALLINT NOT NULL,
    seat UTINYINT NOT NULL,
    worlds USMALLINT NOT NULL,
    open SMALLINT NOT NULL,
    judged DECIMAL(9, 3) NOT NULL,
    error DECIMAL(9, 3) NOT NULL,
    score_open INTEGER,
    score_judged DECIMAL(9, 3),
    score_error DECIMAL(9, 3)
);
COMMENT ON TABLE hidden_rows IS
    'One row for each decision that was graded by what its player knew, in no order.';
COMMENT ON COLUMN hidden_rows."action" IS 'Of several that put surplus down, the last one.';
COMMENT ON COLUMN hidden_rows.worlds IS 'Deals that fit what the player knew, in which every choice was tried.';
COMMENT ON COLUMN hidden_rows.open IS
    'Who first asks for a trump they do not know is graded for asking, and plays as well as can be '
    'after it; else it is loss of decision_rows.';
COMMENT ON COLUMN hidden_rows.judged IS
    'What is left of open is luck. It may be below 0: then no other choice looked better.';
COMMENT ON COLUMN hidden_rows.error IS 'Standard error of judged.';
COMMENT ON COLUMN hidden_rows.score_open IS 'open as a change of the scores; NULL where points do not tell it.';
COMMENT ON COLUMN hidden_rows.score_error IS 'That of score_judged.';
