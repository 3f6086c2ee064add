"""The words on score sheets, in English, Swedish, Finnish and Spanish.

Headers of columns and what stands in their cells. Words are compared without case and accents.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from ingest.text_form.folding import fold


class Means(StrEnum):
    """What a column of a sheet may mean."""

    DATE = "date"
    GAME = "game"
    HAND = "hand"
    DEALER = "dealer"
    MAKER = "maker"
    BID = "bid"
    TRUMP = "trump"
    STAKE = "stake"
    RESULT = "result"
    BY = "by"
    POINTS = "points"
    CHANGE = "change"
    SCORE = "score"
    BEFORE = "before"
    REMARK = "remark"
    IGNORE = "ignore"


OF_A_SIDE: Final = frozenset({Means.POINTS, Means.CHANGE, Means.SCORE, Means.BEFORE})
"""What there is a column of for each side, or each player."""


def _table(text: str) -> dict[str, str]:
    """Return the meaning by each of its words; a line is ``meaning: word, word``."""
    found: dict[str, str] = {}
    for line in text.strip().splitlines():
        meaning, _, words = line.strip().partition(": ")
        for word in words.split(","):
            found[" ".join(fold(word).split())] = meaning
    return found


HEADERS: Final = _table("""
    date: date, day, when, evening, played, played on, datum, dag, kväll, päivä, päivämäärä, \
pvm, ilta, fecha, día, noche
    game: game, game no, game number, match, round, table, rubber, spel, parti, match nr, \
omgång, peli, ottelu, kierros, pöytä, juego, partida, ronda
    hand: hand, hand no, hand number, deal, deal no, no, nr, #, giv, giv nr, jako, jakonro, \
käsi, n:o, mano, reparto, num, n°, nº
    dealer: dealer, dealt, dealt by, who dealt, givare, giver, gav, jakaja, jakoi, reparte, \
repartió, dador, mano de
    maker: bidder, maker, declarer, bid by, who bid, caller, winner of bid, high bidder, \
pitcher, taker, budgivare, bjöd, spelförare, tarjoaja, pelinviejä, tarjosi, postor, declarante, \
quien puja, pujador, jugador
    bid: bid, contract, bid amount, call, high bid, bud, kontrakt, tarjous, sitoumus, puja, \
contrato, subasta, apuesta
    trump: trump, trumps, suit, trumf, färg, valtti, maa, triunfo, palo
    stake: doubled, double, stake, dubblat, dubbling, tuplattu, tuplaus, doblado, doble
    result: result, made/set, made or set, made, outcome, made?, set?, ok, resultat, gjort, \
gjort/bet, hemma, tulos, lopputulos, tehty, resultado, cumplido, hecho
    by: by, over/under, margin, difference, +/-, med, marginal, skillnad, erolla, ero, \
marginaali, por, margen, diferencia
    points: points, pts, point, taken, made points, points taken, points won, card points, \
game points taken, poäng, kortpoäng, tagna poäng, pisteet, pist, korttipisteet, puntos, pts., \
puntos ganados
    change: change, plus/minus, this hand, hand score, scored, score this hand, net, gain, \
ändring, plus, givens poäng, denna giv, muutos, tästä jaosta, jaon pisteet, cambio, esta mano, \
neto
    score: score, total, running, running score, running total, totals, after, score after, \
cumulative, standing, ställning, totalt, summa, löpande, efter, tilanne, yhteensä, \
loppupisteet, jälkeen, marcador, acumulado, después, puntuación, total acumulado
    before: before, score before, start, före, innan, ennen, lähtö, antes
    remark: remark, remarks, note, notes, comment, comments, anmärkning, anteckning, kommentar, \
huomautus, huom, huomioita, nota, notas, observaciones, comentario
""")
SIDES: Final = _table("""
    1: we, us, our, side 1, team 1, pair 1, ns, n/s, n-s, north/south, north-south, vi, oss, \
lag 1, par 1, me, joukkue 1, pari 1, nosotros, equipo 1, pareja 1, a, team a, side a, home
    2: they, them, their, side 2, team 2, pair 2, ew, e/w, e-w, east/west, east-west, de, dem, \
lag 2, par 2, he, joukkue 2, pari 2, ellos, equipo 2, pareja 2, b, team b, side b, away
    makers: makers, maker, bidder, bidders, bidding side, declarer, declarers, spelförare, \
budgivare, pelinviejä, tarjoaja, postor, declarante
    defenders: defenders, defence, defense, opponents, opps, others, other side, försvar, \
motspelare, motståndare, puolustajat, vastustajat, puolustus, defensa, contrarios, rivales
""")
TOTALS: Final = frozenset(
    map(
        fold,
        (
            "total", "totals", "sum", "sums", "grand total", "final", "final score", "average",
            "totalt", "summa", "slutsumma", "slutställning", "medel", "yhteensä", "summat",
            "lopputulos", "keskiarvo", "suma", "totales", "resultado final", "promedio", "winner",
            "winners", "vinnare", "voittaja", "voittajat", "ganador", "ganadores",
        ),
    )
)  # fmt: skip
"""How a row at the foot of a table begins."""
NEW_GAME: Final = re.compile(
    r"(?:game|match|round|spel|parti|omgang|peli|ottelu|kierros|juego|partida|ronda)\b\.?\s*"
    r"(?:n[ro]?[.:]?\s*)?#?\s*(\d{1,4}|[a-z])?\b.*"
)
"""A title that begins a game, without accents."""
RESULTS: Final = _table("""
    made: made, make, yes, y, won, win, w, ok, home, ✓, ✔, +, gjort, gjord, ja, hemma, j, \
tehty, teki, kyllä, k, onnistui, cumplido, cumplida, hecho, hecha, sí, ganado, m
    set: set, no, n, lost, lose, l, down, failed, euchred, bust, ✗, ✘, x, -, −, bet, nej, \
pieti, ei, epäonnistui, perdido, perdida, fallado, s
""")
PASSES: Final = frozenset(
    map(
        fold,
        (
            "pass", "passed", "passed out", "all pass", "thrown in", "redeal", "no bid", "pass out",
            "alla pass", "omgiv", "passi", "kaikki passi", "uusi jako", "paso", "todos pasan",
        ),
    )
)  # fmt: skip
"""What stands in place of a bid for a deal that was thrown in."""
TRUMPS: Final = _table("""
    S: s, ♠, ♤, spade, spades, sp, spader, pata, padat, picas, pica
    H: h, ♥, ♡, heart, hearts, ht, hj, hjärter, hertta, hertat, corazones, corazón
    D: d, ♦, ♢, diamond, diamonds, di, ru, ruter, ruutu, ruudut, diamantes, diamante
    C: c, ♣, ♧, club, clubs, cl, kl, klöver, risti, ristit, tréboles, trébol
    NT: nt, no trump, no trumps, notrump, notrumps, sans, utan trumf, ei valttia, sin triunfo
""")
STAKES: Final = _table("""
    : no, n, -, 0, 1, nej, ei
    double: double, doubled, yes, y, x, x2, 2, 2x, dubblat, dubbel, ja, tuplattu, kyllä, \
doblado, doble, sí
    redouble: redouble, redoubled, xx, x4, 4, 4x, redubblat, vastatuplattu, redoblado, redoble
    super: super, x8, 8, 8x
""")
MONTHS: Final = (
    ("jan", "januari", "january", "tammi", "enero", "ene"),
    ("feb", "februari", "february", "helmi", "febrero"),
    ("mar", "mars", "march", "maalis", "marzo"),
    ("apr", "april", "huhti", "abril", "abr"),
    ("may", "maj", "touko", "mayo"),
    ("jun", "june", "juni", "kesa", "junio"),
    ("jul", "july", "juli", "heina", "julio"),
    ("aug", "august", "augusti", "elo", "agosto", "ago"),
    ("sep", "sept", "september", "syys", "septiembre"),
    ("oct", "okt", "october", "oktober", "loka", "octubre"),
    ("nov", "november", "marras", "noviembre"),
    ("dec", "december", "joulu", "diciembre", "dic"),
)
"""The months by their number, as they begin, without accents."""


def key(text: str) -> str:
    """Return a word of a sheet as words are compared."""
    return " ".join(fold(text).replace("_", " ").strip(" .:*").split())
