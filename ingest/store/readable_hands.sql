-- Every hand of the attached snapshot games in one row of words. Macros of the snapshot that take others
-- are not found from outside it, so that one is written out.

SELECT
    hand_id, variant, game, hand, started_at, day, verdict, result,
    [each.id FOR each IN players] AS player_ids,
    seat_sides,
    players[dealer + 1].id AS dealer_id,
    players[maker + 1].id AS maker_id,
    games.bid_name(bid) AS bid_name,
    trump,
    alone_by, points, change, scores,
    [
        array_to_string([
            games.card_name(ord(card) - $ZERO)
            FOR card IN list_sort(list_distinct(string_split(cards, ''))) IF card >= $ZERO_LETTER
        ], ' ')
        FOR cards IN [
            coalesce(string_split(split_part(deal, ',', 1), ' ')[seat + 1], '')
            FOR seat IN range(len(players))
        ]
    ] AS dealt_by_seat,
    [games.card_name(each.card) FOR each IN plays] AS cards_played
FROM games.stored
JOIN games.trick_plays USING (hand_id)
