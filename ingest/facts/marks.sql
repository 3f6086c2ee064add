-- What users have written about hands, as far as figures use it.

CREATE TABLE hand_tags (tagged BIGINT NOT NULL, tags VARCHAR[] NOT NULL);
COMMENT ON TABLE hand_tags IS
    'Hands with a tag, one row each. Empty in the file of facts: tags stand in the file of the users, '
    'and whoever opens facts through a lens has them here.';
COMMENT ON COLUMN hand_tags.tagged IS 'Number of the hand: games.hands.hand_no.';
COMMENT ON COLUMN hand_tags.tags IS 'Sorted.';
