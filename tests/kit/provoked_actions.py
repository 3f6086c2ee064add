"""For every code of an action a hand that provokes it and nothing else."""

from tests.kit.provoked import (
    LED_BY_3,
    Provoked,
    bare,
    changed,
    going_on,
    led_by,
    overlaid,
    pedro_exchanging,
    starting,
    swap,
)
from tests.kit.sound_hands import PEDRO_EXCHANGE, TRUMP_TRICKS, pedro

KEPT = pedro_exchanging(
    [
        *PEDRO_EXCHANGE[:1],
        "1 discard 2H 3H 4H 5H 6H",
        *PEDRO_EXCHANGE[2:4],
        *("1 draw KC AC", "2 draw 8H 9H TH", "3 rob JH QH KH AH"),
    ],
    *TRUMP_TRICKS,
    *("0 2S 1 9S 2 5C 3 JH", "1 KC 2 8H 3 QH 0 TS", "0 KS 1 AC 2 9H 3 KH", "0 QS 1 7H 2 TH 3 AH"),
)
"""Seat 1 keeps a plain seven and draws one card less."""
GAVE_UP = pedro_exchanging(
    [
        *PEDRO_EXCHANGE[:2],
        "2 discard 2D 3D 4D 5D 6D 7D 7S",
        PEDRO_EXCHANGE[3],
        *("1 draw KC AC 8H", "2 draw 9H TH JH QH", "3 rob KH AH 8D 9D"),
    ],
    *("0 AS 1 5S 2 6S 3 3S", "0 JS 1 8S 2 5C 3 4S", "0 2S 1 9S 2 9H 3 KH"),
    *("1 KC 2 TH 3 AH 0 TS", "0 KS 1 AC 2 JH 3 8D", "0 QS 1 8H 2 QH 3 9D"),
)
"""Seat 2 lays off the seven of trumps and draws one card more."""
DREW_LESS = pedro_exchanging(
    [
        *PEDRO_EXCHANGE[:4],
        *("1 draw KC AC", "2 draw 8H 9H TH", "3 rob JH QH KH AH"),
    ],
    *TRUMP_TRICKS,
    *("0 2S 1 9S 2 5C 3 JH", "1 KC 2 8H 3 QH 0 TS", "0 KS 1 AC 2 9H 3 KH", "0 QS 2 TH 3 AH"),
)
"""Seat 1 draws one card less and has none for the last trick."""

REST = "QH KH AH 8D 9D TD JD QD KD AD"
"""What is left of the stock when the dealer comes to it."""
GIVES = "/actions/5"
SEVEN = "AS KS JS TS 9S 5S 5C"
"""The seven point trumps of the hand that gives one of them."""
DEALER_BIDS = ("0 pass", "1 pass", "2 pass", "3 bid 7", "3 trump S")

ON_ACTIONS = (
    # Nothing is defined after these
    Provoked("not-now", changed("pedro", ("1 pass", "0 trump S")), "/actions/1", 0),
    Provoked("no-such-seat", changed("pedro", ("1 pass", "5 pass")), "/actions/1", 5),
    Provoked(
        "after-the-end", changed("pedro", ("3 play 8D", "3 play 8D, 0 play 2C")), "/actions/36", 0
    ),
    Provoked(
        "card-not-held",
        changed("pedro", ("0 play AS", "0 play AD")),
        "/actions/12",
        0,
        "AS KS QS JS TS 2S",
    ),
    Provoked(
        "bid-not-higher", changed("pedro", ("1 pass", "1 bid 9")), "/actions/1", 1, "10-14 pass"
    ),
    Provoked("spoke-twice", changed("pedro", ("2 pass", "0 bid 10")), "/actions/2", 0),
    Provoked(
        "bid-after-pass", starting("king-pedro", "0 pass", "1 bid 30", "0 bid 31"), "/actions/2", 0
    ),
    Provoked(
        "bid-unknown", changed("pedro", ("0 bid 9", "0 bid 28-56")), "/actions/0", 0, "7-14 pass"
    ),
    Provoked(
        "dealer-must-bid",
        starting("pedro", "0 pass", "1 pass", "2 pass", "3 pass"),
        "/actions/3",
        3,
        "7-7",
    ),
    Provoked(
        "trump-unknown", changed("pedro", ("0 trump S", "0 trump NT")), "/actions/4", 0, "trump"
    ),
    Provoked(
        "card-not-in-stock",
        changed("pedro", ("1 draw KC AC 8H", "1 draw KC AC 2C")),
        "/actions/9",
        1,
        "8H AC KC",
    ),
    Provoked(
        "card-not-in-kitty",
        changed("king-pedro", ("0 kitty 7H 8H 9H TH", "0 kitty 7H 8H 9H AC")),
        "/actions/5",
        0,
        "TH 9H 8H 7H",
    ),
    Provoked("played-twice", changed("pedro", ("1 play 5S", "0 play JS")), "/actions/13", 0),
    Provoked(
        "reveal-differs",
        changed("twenty-nine", ("0 reveal S", "0 reveal D")),
        "/actions/7",
        0,
        "reveal",
    ),
    # The auction
    Provoked("bid-out-of-turn", swap("pedro", "0 bid 9", "1 pass"), "/actions/0", 1),
    Provoked(
        "pass-after-pass",
        starting("king-pedro", "0 bid 30", "1 pass", "2 pass", "1 pass", "3 pass"),
        "/actions/3",
        1,
    ),
    Provoked("bid-too-low", changed("pedro", ("0 bid 9", "0 bid 6")), "/actions/0", 0, "7-14 pass"),
    Provoked(
        "bid-too-high", changed("pedro", ("0 bid 9", "0 bid 15")), "/actions/0", 0, "7-14 pass"
    ),
    Provoked(
        "forced-bid-wrong",
        starting("pedro", "0 pass", "1 pass", "2 pass", "3 bid 8"),
        "/actions/3",
        3,
        "7-7",
    ),
    Provoked(
        "ditto-not-allowed",
        starting("twenty-nine", "0 bid 16", "1 ditto"),
        "/actions/1",
        1,
        "17-28 pass",
    ),
    Provoked(
        "bid-not-allowed",
        overlaid(starting("pedro", "0 bid 28-56"), special_bid="dealer-28-56"),
        "/actions/0",
        0,
        "7-14 pass",
    ),
    Provoked("trump-by-other", changed("pedro", ("0 trump S", "2 trump S")), "/actions/4", 2),
    # The exchange
    Provoked(
        "kitty-by-other",
        starting(
            *("king-pedro", "0 bid 30", "1 pass", "2 pass", "3 pass", "0 trump S"),
            "1 kitty 7H 8H 9H TH",
        ),
        "/actions/5",
        1,
    ),
    Provoked(
        "kitty-count",
        changed("king-pedro", ("0 kitty 7H 8H 9H TH", "0 kitty 7H 8H 9H")),
        "/actions/5",
        0,
        "TH 9H 8H 7H",
    ),
    Provoked("kept-plain", KEPT, "/actions/6", 1, "7H 6H 5H 4H 3H 2H"),
    Provoked("discarded-trump", GAVE_UP, "/actions/7", 2, "7D 6D 5D 4D 3D 2D"),
    Provoked(
        "discarded-points",
        changed(
            "king-pedro",
            ("3 discard 3C 4C 6C 7C 8C 9C", "3 discard 2S 3C 4C 6C 7C 8C"),
            ("3 play 2S", ""),
        ),
        "/actions/9",
        3,
        "AC KC QC JC TC 9C 8C 7C 6C 4C 3C",
    ),
    Provoked(
        "discard-count",
        changed("king-pedro", ("1 discard JH QH KH AH 2D 3D", "1 discard JH QH KH AH 2D 3D 4D")),
        "/actions/7",
        1,
        "AH KH QH JH 6D 5D 4D 3D 2D",
    ),
    Provoked(
        "draw-out-of-turn",
        starting(
            *("pedro", *pedro().actions[:9], "2 draw KC AC 8H", "1 draw 9H TH JH"),
            "3 rob QH KH AH 8D",
        ),
        "/actions/9",
        2,
    ),
    Provoked("draw-count", DREW_LESS, "/actions/9", 1, "8H AC KC"),
    Provoked(
        "draw-order",
        starting(
            *("pedro", *pedro().actions[:9], "1 draw 9H TH JH", "2 draw KC AC 8H"),
            "3 rob QH KH AH 8D",
        ),
        "/actions/9",
        1,
        "8H AC KC",
    ),
    Provoked(
        "rob-by-other",
        changed("pidro", (f"3 rob {REST}", f"2 rob {REST}"), ("3 discard QH KH AH 8D 9D TD", "")),
        "/actions/11",
        2,
    ),
    Provoked(
        "rob-left-trumps",
        changed(
            "pidro",
            (f"3 rob {REST}", "3 rob QH KH AH 8D 9D TD"),
            ("3 discard QH KH AH 8D 9D TD", "3 discard QH KH"),
        ),
        "/actions/11",
        3,
        "AH KH QH AD KD QD JD TD 9D 8D",
    ),
    Provoked(
        "rob-count",
        changed("pedro", ("3 rob QH KH AH 8D", "3 rob QH KH AH"), ("3 play 8D", "")),
        "/actions/11",
        3,
        "AH KH QH AD KD QD JD TD 9D 8D",
    ),
    # Gifts, folds, open discards
    Provoked("give-count", going_on("sixty-three", 5, "0 give JS 5C"), GIVES, 0, SEVEN),
    Provoked("give-not-allowed", going_on("ukrainian", 5, "1 give 5H"), GIVES, 1, "TS"),
    Provoked("fold-with-trumps", going_on("ukrainian", 5, "1 fold"), GIVES, 1, "TS"),
    Provoked(
        "not-folded",
        going_on("ukrainian", 6, "1 discard 5H 4H 3H 2H AD KD"),
        "/actions/6",
        1,
        "fold",
    ),
    Provoked(
        "discard-not-shown",
        overlaid(starting("pedro", *pedro().actions[:6]), discards_shown="all"),
        "/actions/5",
        0,
        "4C 3C 2C",
    ),
    Provoked(
        "claim-not-allowed",
        overlaid(
            starting("pedro", *pedro().actions[:5], "0 discard-up 2C 3C 4C 2S", "2 claim 2S 2D"),
            discards_shown="all",
            discards_claimed=True,
        ),
        "/actions/6",
        2,
        "7S 6S 7D 6D 5D 4D 3D 2D 5C",
    ),
    # What does no harm
    Provoked(
        "discard-out-of-turn",
        changed("pidro", ("2 draw 9H TH JH", "1 discard KC, 2 draw 9H TH JH")),
        "/actions/10",
        1,
    ),
    Provoked(
        "not-robbed",
        changed(
            "pidro",
            ("3 rob QH KH AH 8D 9D TD JD QD KD AD", ""),
            ("3 discard QH KH AH 8D 9D TD", ""),
        ),
        "/actions/11",
        3,
    ),
    Provoked(
        "draw-split",
        changed("pidro", ("1 draw KC AC 8H", "1 draw KC, 1 draw AC 8H")),
        "/actions/10",
        1,
    ),
    # The first trick
    Provoked(
        "buried-points",
        changed("king-pedro", ("0 bury 8S", "0 bury KS"), ("0 play KS", "0 play 8S")),
        "/actions/11",
        0,
        "QS 9S 8S",
    ),
    Provoked(
        "bury-count",
        changed("king-pedro", ("0 bury 8S", "0 bury 8S 9S"), ("0 play 9S", "")),
        "/actions/10",
        0,
        "AS KS QS JS TS 9S 8S",
    ),
    Provoked(
        "not-buried",
        changed("king-pedro", ("0 bury 8S", "")),
        "/actions/10",
        0,
        "AS KS QS JS TS 9S 8S",
    ),
    # The tricks
    Provoked("wrong-leader", lambda: led_by(bare("pedro"), LED_BY_3), "/actions/24", 3),
    Provoked("played-out-of-turn", swap("pedro", "1 play 5S", "2 play 6S"), "/actions/13", 2),
    Provoked("revoke", swap("pedro", "2 play 7S", "2 play TH"), "/actions/18", 2, "7S 5C"),
    Provoked(
        "plain-lead",
        overlaid(
            starting(
                *("pedro", *DEALER_BIDS, *PEDRO_EXCHANGE, "3 rob QH KH AH 8D", "3 play QH"),
                "0 play 2S",
            ),
            first_lead="trump",
        ),
        "/actions/12",
        3,
        "4S 3S",
    ),
    Provoked(
        "played-when-out",
        changed("pidro", ("2 play 5C", "2 play 5C, 3 play JD")),
        "/actions/24",
        3,
    ),
    Provoked(
        "out-with-trumps",
        changed("pidro", ("0 play TS", "0 out, 0 play TS")),
        "/actions/24",
        0,
        "KS QS TS",
    ),
    # Hidden trumps and the pair
    Provoked(
        "not-asked",
        starting(
            *("twenty-nine", "0 bid 16", "1 pass", "2 pass", "3 pass", "0 trump S", "0 play JH"),
            *("1 play 7D", "2 play 7H", "3 ask", "0 reveal S", "3 play 7C"),
        ),
        "/actions/6",
        1,
        "AD KD QD JD TD 9D 8D 7D",
    ),
    Provoked(
        "not-shown",
        changed("twenty-nine", ("0 reveal S", "")),
        "/actions/7",
        1,
        "AD KD QD JD TD 9D 8D 7D",
    ),
    Provoked(
        "ask-without-cause",
        changed("twenty-nine", ("2 play 7H", "2 ask, 2 play 7H")),
        "/actions/9",
        2,
        "KH QH 8H 7H",
    ),
    Provoked(
        "reveal-without-cause",
        starting(
            *("twenty-nine", "0 bid 16", "1 pass", "2 pass", "3 pass", "0 trump S", "0 reveal S"),
            *("0 play JH", "1 play 7D", "2 play 7H", "3 play 7C"),
        ),
        "/actions/5",
        0,
        "KS QS JS 9S AH JH TH 9H",
    ),
    Provoked(
        "reveal-by-other", changed("twenty-nine", ("0 reveal S", "2 reveal S")), "/actions/7", 2
    ),
    Provoked(
        "pair-not-now",
        changed("twenty-nine", ("0 play JH", "0 pair, 0 play JH")),
        "/actions/5",
        0,
        "KS QS JS 9S AH JH TH 9H",
    ),
    Provoked(
        "pair-not-held",
        changed("twenty-nine", ("3 play 7C", "3 play 7C, 2 pair")),
        "/actions/11",
        2,
    ),
    # Options of Twenty-Nine
    Provoked(
        "double-not-allowed",
        overlaid(changed("twenty-nine", ("0 play JH", "0 play JH, 1 double")), doubling="double"),
        "/actions/6",
        1,
        "ask",
    ),
    Provoked(
        "solo-not-allowed",
        overlaid(
            starting(
                *("twenty-nine", "0 bid 16", "1 pass", "2 pass", "3 pass", "0 trump S"),
                *("0 play JH", "1 solo"),
            ),
            solo="partner-hidden",
        ),
        "/actions/6",
        1,
        "ask",
    ),
    Provoked(
        "not-trumped",
        overlaid(
            starting(
                *("twenty-nine", "0 bid 16", "1 pass", "2 pass", "3 pass", "0 trump S"),
                *("0 play JH", "1 play 7D", "2 play 7H", "3 ask", "0 reveal S", "3 play 7C"),
            ),
            ask="optional",
        ),
        "/actions/10",
        3,
        "AS TS 8S 7S",
    ),
    Provoked(
        "seventh-card-hidden",
        overlaid(
            starting(
                *("twenty-nine", "0 bid 16", "1 pass", "2 pass", "3 pass"),
                *("0 trump seventh", "0 play KS"),
            ),
            seventh_card=True,
        ),
        "/actions/5",
        0,
        "QS JS 9S AH JH TH 9H",
    ),
    Provoked(
        "not-thrown-in",
        overlaid(
            starting("twenty-nine", "2 bid 16", "1 pass", "0 pass", "3 pass", "2 trump C"),
            weak_start="thrown-in",
            direction="anticlockwise",
        ),
        "/actions/0",
        2,
        "throw-in",
    ),
    Provoked(
        "stopped-without-cause",
        starting("twenty-nine", "0 throw-in"),
        "/actions/0",
        0,
        "15-28 pass",
    ),
)
"""Codes of faults, which hang on an action."""
