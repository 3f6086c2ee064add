-- The rows of seats and cards beside what chairs say, as figures are counted from them.

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
    dealer_at(sitting, seat, step, from_dealer) AS dealer_id
FROM seat_rows
JOIN chairs USING (chair);

CREATE VIEW card_facts AS
SELECT
    card_rows.* EXCLUDE (chair, led_from, won_from),
    chairs.* EXCLUDE (chair, layout, first_of_side, sitting, step),
    dealer_at(sitting, seat, step, from_dealer) AS dealer_id,
    sitting[won_from + 1] AS taker,
    seen_from_maker(seat, seat, from_maker, sitting, partners, step) AS held_at,
    seen_from_maker(led_from, seat, from_maker, sitting, partners, step) AS led_at,
    seen_from_maker(won_from, seat, from_maker, sitting, partners, step) AS taken_at
FROM card_rows
JOIN chairs USING (chair);

COMMENT ON VIEW seat_facts IS
    'One row for each player in each stored hand. What the record or the rules leave open is NULL.';
COMMENT ON COLUMN seat_facts.game_no IS 'A hand without a game counts as one of its own, under its own number.';
COMMENT ON COLUMN seat_facts.seating_id IS 'The first of those that say the same.';
COMMENT ON COLUMN seat_facts.from_dealer IS
    'Places after the dealer in the direction of play: 1 speaks first, 0 is the dealer.';
COMMENT ON COLUMN seat_facts.from_maker IS
    'Places after the maker in the direction of play, 0 is the maker.';
COMMENT ON COLUMN seat_facts.side_no IS 'The one that the player belongs to at this table.';
COMMENT ON COLUMN seat_facts.side IS 'Whether the player is of the makers; NULL without a maker.';
COMMENT ON COLUMN seat_facts.suit IS 'Suit that was named, turned round or not; NULL while unknown.';
COMMENT ON COLUMN seat_facts.lead_after IS 'As recomputed.';
COMMENT ON COLUMN seat_facts.maker_points IS 'Card points the makers took.';
COMMENT ON COLUMN seat_facts.in_play IS 'Card points all sides took.';
COMMENT ON COLUMN seat_facts.pack_points IS 'Card points when every point card is in play.';
COMMENT ON COLUMN seat_facts.available IS
    'What was at stake in the unit of the scores: the card points of the pack, or the game points.';
COMMENT ON COLUMN seat_facts.own_points IS 'Card points the player took: in tricks they won, and of a two that counts for its holder.';
COMMENT ON COLUMN seat_facts.side_change IS 'Amount added to the score of the side.';
COMMENT ON COLUMN seat_facts.turns IS
    'Calls, but for a bid that the passes of all others forced the last to speak to make.';
COMMENT ON COLUMN seat_facts.bids IS 'Bids among those calls, also holding the standing bid and undertaking all tricks.';
COMMENT ON COLUMN seat_facts.point_leads IS 'Leads of a card with points.';
COMMENT ON COLUMN seat_facts.leads_won IS 'Tricks the player led and their side won.';
COMMENT ON COLUMN seat_facts.trick_count IS 'Complete tricks of the hand.';
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
COMMENT ON COLUMN card_facts.trick IS
    '0 for a card that counts without one: left with the last player, laid off.';
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
