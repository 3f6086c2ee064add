-- The same of the facts of the draft, which are attached as facts.

CREATE MACRO chair_of(chair) AS chair + 8 * getvariable('base')::BIGINT;
CREATE MACRO seating_of(seating_id) AS seating_id + getvariable('base')::BIGINT;

CREATE VIEW chairs AS
SELECT * REPLACE (chair_of(chair) AS chair, seating_of(seating_id) AS seating_id)
FROM facts.chairs;

CREATE VIEW seat_rows AS SELECT * REPLACE (chair_of(chair) AS chair) FROM facts.seat_rows;
CREATE VIEW card_rows AS SELECT * REPLACE (chair_of(chair) AS chair) FROM facts.card_rows;
CREATE VIEW game_facts AS FROM facts.game_facts;
CREATE VIEW finding_facts AS
SELECT * REPLACE (seating_of(seating_id) AS seating_id)
FROM facts.finding_facts;
CREATE VIEW tallies AS SELECT * REPLACE (seating_of(seating_id) AS seating_id) FROM facts.tallies;
CREATE VIEW sessions AS FROM facts.sessions;
