-- The rows of some blocks of solved hands that belong to valid hands of the snapshot and are not
-- there yet. The blocks are in the view found; wanted has the hands of the snapshot.

CREATE OR REPLACE TABLE portion AS
SELECT hand_no, found.*
FROM found
JOIN wanted USING (content_hash, ruleset)
ANTI JOIN solved.solved_hands USING (hand_no)
QUALIFY row_number() OVER (PARTITION BY hand_no) = 1;

INSERT INTO solved.solved_hands BY NAME
SELECT
    hand_no, status, reason, unit, need AS need_open, par_low, par_high, outcome, made_open, losses_makers,
    losses_others, score_par, score_outcome, no_score, decisions,
    choices AS with_choice
FROM portion;

CREATE OR REPLACE TABLE steps AS
SELECT
    hand_no,
    unnest("action") AS "action",
    unnest(seat) AS seat,
    unnest(trick) AS trick,
    unnest(turn) AS turn,
    unnest(kind) AS kind,
    unnest(cards) AS cards,
    unnest(showed) AS showed,
    unnest(by_makers) AS by_makers,
    unnest(before) AS before,
    unnest("after") AS "after",
    unnest(loss) AS loss,
    unnest(score_loss) AS score_loss,
    unnest(choice_count) AS choices,
    unnest(loss_kind) AS loss_kind
FROM portion;

-- Most decisions are of one card, and the sets of several are few.
CREATE OR REPLACE TABLE named AS
SELECT
    cards,
    array_to_string(
        [name FOR name, place IN [$CARD_NAMES] IF (cards >> (place - 1)) & 1 = 1], ' '
    ) AS card
FROM (SELECT DISTINCT cards FROM steps);

INSERT INTO solved.decision_rows BY NAME
SELECT
    steps.* EXCLUDE (cards, kind, loss_kind),
    (getvariable('kinds'))[kind + 1] AS deed,
    card,
    (getvariable('losses'))[loss_kind + 1] AS loss_kind
FROM steps
JOIN named USING (cards);
