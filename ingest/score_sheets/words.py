"""The words on score sheets, in English, Swedish, Finnish and Spanish.

Headers of columns and what stands in their cells. Words are compared without case and accents.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from tricklog.ingest.text_form.folding import fold


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
    SET = "set"
    BY = "by"
    POINTS = "points"
    CHANGE = "change"
    SCORE = "score"
    BEFORE = "before"
    REMARK = "remark"
    IGNORE = "ignore"


OF_A_SIDE: Final = frozenset({Means.POINTS, Means.CHANGE, Means.SCORE, Means.BEFORE})
"""What there is a column of for each side, or each player."""


def key(text: str) -> str:
    """Return a word of a sheet as words are compared."""
    return " ".join(fold(text).replace("_", " ").strip(" .:*?!¿¡").split())


def _table(text: str) -> dict[str, str]:
    """Return the meaning by each of its words; a line is ``meaning: word, word``."""
    found: dict[str, str] = {}
    for line in text.strip().splitlines():
        meaning, _, words = line.strip().partition(": ")
        for word in words.split(","):
            found[key(word)] = meaning
    return found


def _words(text: str) -> frozenset[str]:
    return frozenset(map(fold, text.split(", ")))


HEADERS: Final = _table("""
    date: date, day, when, evening, night, session, played, played on, date played, datum, dag, \
kväll, speldag, speldatum, spelkväll, när, päivä, päivämäärä, pvm, ilta, pelipäivä, pelipvm, \
milloin, fecha, día, noche, jornada, cuándo
    game: game, game no, game number, match, match no, table, rubber, spel, parti, match nr, \
partinr, spelnr, bord, peli, ottelu, erä, pelinro, pöytä, juego, partida, partido, mesa
    hand: hand, hand no, hand number, deal, deal no, deal number, no, nr, #, nro, number, hands, \
giv, givnr, givnummer, handnr, nummer, jako, jakonro, käsi, n:o, numero, mano, reparto, num, \
n°, nº, núm, número
    dealer: dealer, dlr, dealt, dealt by, deal by, who dealt, dealing, givare, giver, \
kortgivare, gav, delare, delade, utdelare, vem gav, jakaja, jakoi, kuka jakoi, jakovuoro, \
reparte, repartió, repartidor, dador, da, quién da, quién reparte, quién repartió
    maker: bidder, maker, trump maker, declarer, contractor, bid by, called by, who bid, who, \
caller, winner of bid, winner of the bid, bid winner, winning bidder, won the bid, won bid, \
took the bid, auction winner, high bidder, highest bidder, pitcher, shooter, taker, player, \
name, budgivare, budare, bjöd, bjudare, vem bjöd, vem, spelförare, budvinnare, vann budet, \
vann budgivningen, tog budet, högsta budgivare, spelare, namn, tarjoaja, pelinviejä, viejä, \
tarjosi, kuka tarjosi, kuka, huutaja, huusi, voitti tarjouksen, voitti huudon, pelaaja, \
nimi, postor, declarante, quién puja, quién pujó, quién apuesta, quién apostó, quién, \
pujador, apostador, rematador, ganador de la puja, ganador de la apuesta, pidió, jugador, \
nombre
    bid: bid, bids, bid amount, bid value, contract, call, high bid, highest bid, winning bid, \
final bid, bud, budet, högsta bud, högsta budet, vinnande bud, slutbud, kontrakt, tarjous, \
korkein tarjous, voittotarjous, sitoumus, huuto, korkein huuto, sopimus, puja, pujas, puja \
más alta, puja ganadora, contrato, subasta, apuesta, apuestas, remate, oferta
    trump: trump, trumps, trump suit, suit, trumf, trumffärg, färg, valtti, valttimaa, maa, \
triunfo, palo, palo de triunfo, triunfos
    stake: doubled, double, dbl, stake, stakes, x/xx, dubblat, dubblad, dubbel, dubbling, \
insats, tuplattu, tuplaus, kahdennettu, kahdennus, panos, doblado, doble, dobló, d, d/rd, dbl/rdbl
    result: result, results, made/set, made or set, outcome, ok, made it, made, made bid, bid \
made, contract made, made the bid, make, success, succeeded, fulfilled, won/lost, w/l, \
win/loss, resultat, gjort, gjord, gjort/bet, hem/bet, hem eller bet, hemma, hem, gick hem, \
hemgång, gick det hem, klarat, klarade, klarade budet, lyckades, lyckat, tulos, lopputulos, \
tehty, läpi, meni läpi, onnistui, onnistuiko, menikö läpi, täyttyi, resultado, cumplido, \
cumplió, cumplida, hecho, hecha, logrado, logró, lo logró, lo hizo, ganó, ganada, \
hemgånget, hemgången, hemgånget/bet, hemgånget eller bet, täytetty, täytetty/pietissä, \
cumplido/fallido, cumplido o fallido, cumplida/fallida
    set: set, went set, is set, failed, went down, euchred, gick bet, misslyckades, blev bet, \
pieti, meni pietiin, pietissä, epäonnistui, fallado, fallido, fallida, falló, perdida, \
no cumplió, no cumplido
    by: by, over/under, margin, difference, diff, +/-, med, marginal, skillnad, över/under, \
erolla, ero, marginaali, por, margen, diferencia
    points: points, pts, point, taken, made points, points taken, points won, points made, card \
points, points captured, captured, game points taken, poäng, p, kortpoäng, stickpoäng, tagna \
poäng, tagna, vunna poäng, pisteet, pist, korttipisteet, saadut pisteet, otetut pisteet, \
puntos, tantos, pts., puntos ganados, puntos hechos, puntos de cartas, tantos ganados
    change: change, plus/minus, this hand, hand score, score for the hand, scored, score this \
hand, net, net score, score change, gain, gained, ändring, förändring, plus, givens poäng, \
poäng i given, denna giv, netto, tillägg, muutos, tästä jaosta, jaon pisteet, lisäys, \
cambio, variación, esta mano, neto, puntos de la mano, tantos de la mano
    score: score, scores, total, running, running score, running total, totals, after, score \
after, game score, total score, tally, cumulative, cumulative score, cum, standing, \
standings, ställning, poängställning, totalt, totalpoäng, summa, sammanlagt, löpande, \
löpande summa, efter, ställning efter, tilanne, pistetilanne, yhteensä, yht, \
kokonaispisteet, loppupisteet, jälkeen, marcador, tanteo, puntaje, acumulado, después, \
puntuación, suma, total acumulado
    before: before, score before, start, previous, carried, carried over, carried forward, före, \
innan, tidigare, ingående, ställning före, ennen, lähtö, aiemmin, tilanne ennen, antes, \
anterior, marcador antes
    remark: remark, remarks, note, notes, comment, comments, misc, anmärkning, anmärkningar, \
anteckning, anteckningar, notering, noteringar, kommentar, kommentarer, övrigt, huomautus, \
huom, huomioita, huomiot, muistiinpano, kommentti, lisätietoja, nota, notas, observación, \
observaciones, comentario, comentarios
""")
"""What a heading means; of those in ``OPEN`` the first that may be meant."""
OPEN: Final = {
    word: tuple(map(Means, means.split(", ")))
    for word, means in _table("""
    hand, dealer: giv, deal, deals, jako, reparto
    dealer, hand: reparte
    hand: mano, hand
    maker: player, name, who, spelare, namn, vem, pelaaja, nimi, kuka, jugador, nombre, quien
    dealer: da
    points: p
    game: match
    set: set
    set, bid: bet
    stake: d
    hand, game: round, omgang, rond, runda, varv, kierros, ronda, vuelta
""").items()
}
"""Headings that may mean several things, or something else altogether.

What stands below them must say which; where it speaks for none, the column is a question.
"""
NUMBERED: Final = _words("""\
no, no., nr, nr., #, n:o, nro, num, number, nummer, numero, nº, n°, de""")
"""Words beside that of a game or a hand which say that it is counted."""
SIDES: Final = _table("""
    1: we, us, our, ours, our team, our side, our pair, vårt lag, vårt par, oma joukkue, oma \
pari, nuestro equipo, nuestra pareja, side 1, team 1, pair 1, couple 1, ns, n/s, n-s, \
north/south, north-south, north south, vi, oss, vår, vårt, våra, vår sida, lag 1, par 1, \
nord/syd, nord-syd, me, meidän, meille, joukkue 1, pari 1, p/e, p-e, pohjoinen-etelä, \
nosotros, nosotras, nuestro, nuestra, nuestros, equipo 1, pareja 1, bando 1, norte-sur, \
norte/sur, a, team a, side a, pair a, lag a, par a, joukkue a, pari a, equipo a, pareja a, \
home
    2: they, them, their, theirs, their team, their side, their pair, deras lag, deras par, \
heidän joukkueensa, su equipo, su pareja, side 2, team 2, pair 2, couple 2, ew, e/w, e-w, \
east/west, east-west, east west, de, dem, dom, deras, de andra, dom andra, lag 2, par 2, \
ö/v, ö-v, öv, öst/väst, öst-väst, he, ne, heidän, heille, muut, joukkue 2, pari 2, i/l, i-l, \
itä-länsi, ellos, ellas, los otros, los demás, equipo 2, pareja 2, bando 2, este-oeste, \
este/oeste, e/o, e-o, eo, b, team b, side b, pair b, lag b, par b, joukkue b, pari b, equipo \
b, pareja b, away
    makers: makers, maker, bidder, bidders, bidding side, bidding team, declarer, declarers, \
spelförare, budgivare, budande, budsidan, pelinviejä, tarjoaja, tarjoajat, huutajat, postor, \
postores, declarante, declarantes, apostadores
    defenders: defenders, defending side, defending team, defence, defense, opponent, opponents, \
opps, others, other side, other team, försvar, försvarare, motspelare, motståndare, \
motståndarna, andra sidan, andra laget, puolustajat, vastustajat, vastapuoli, puolustus, \
defensa, defensores, contrarios, rivales, oponentes, contrincantes
""")
COLOURS: Final = _table("""
    red: red, reds, red team, team red, röd, röda, röda laget, punainen, punaiset, rojo, rojos
    black: black, blacks, black team, team black, svart, svarta, svarta laget, musta, mustat, \
negro, negros
""")
"""What sides are called by the colour of the sixes they keep the score with, where both are."""
TOTALS: Final = _words("""\
total, totals, sum, sums, grand total, final, final score, average, totalt, summa, slutsumma, \
slutställning, medel, yhteensä, summat, lopputulos, keskiarvo, suma, totales, resultado final, \
promedio, winner, winners, vinnare, voittaja, voittajat, ganador, ganadores""")
"""How a row at the foot of a table begins."""
NEW_GAME: Final = re.compile(
    r"(?:game|match|round|spel|parti|omgang|peli|ottelu|kierros|juego|partida|ronda)\b\.?\s*"
    r"(?:n[ro]?[.:]?\s*)?#?\s*(\d{1,4}|[a-z])?\b.*"
)
"""A title that begins a game, without accents."""
RESULTS: Final = _table("""
    made: made, make, makes, made it, made bid, yes, y, true, won, win, wins, w, ok, good, \
success, succeeded, home, ✓, ✔, +, gjort, gjord, ja, hemma, hem, gick hem, gick in, j, \
klarat, klarade, klar, klart, vann, lyckades, lyckat, sant, hemgånget, hemgången, tehty, \
teki, kyllä, joo, k, onnistui, täytetty, läpi, meni läpi, voitto, voitti, tosi, cumplido, \
cumplida, cumplió, cumple, hecho, hecha, hizo, sí, ganado, ganada, ganó, logrado, logró, \
verdadero, m, पूरी, पूरा, हाँ, সফল, হ্যাঁ
    set: set, went set, no, n, false, lost, lose, loss, loses, l, down, went down, off, short, \
failed, fail, euchred, euchre, bust, busted, missed, ✗, ✘, -, −, bet, gick bet, blev bet, \
nej, gick ner, missade, miss, misslyckades, misslyckat, förlorade, falskt, pieti, pietissä, \
pietiin, ei, e, epäonnistui, hävisi, tappio, epätosi, perdido, perdida, perdió, fallado, \
fallido, fallida, falló, no cumplió, no cumplido, no cumplida, no hecho, no hizo, falso, \
नाकाम, नहीं, ব্যর্থ, না
""")
NEUTRAL: Final = _words("""\
result, results, outcome, made/set, made or set, won/lost, w/l, win/loss, resultat, gjort/bet, \
hem/bet, hem eller bet, tulos, lopputulos, resultado, hemgånget/bet, hemgånget eller bet, \
täytetty/pietissä, cumplido/fallido, cumplido o fallido, cumplida/fallida""")
"""Headings of results below which a mere mark does not say that a contract was made."""
YES: Final = _words("""\
yes, y, true, ✓, ✔, +, x, 1, ja, j, sant, kyllä, joo, k, tosi, sí, verdadero""")
NO: Final = _words("no, n, false, ✗, ✘, 0, nej, falskt, ei, e, epätosi, falso")
"""What answers a heading that asks, such as ``Set?``."""
PASSES: Final = _words("""\
pass, passed, passed out, all pass, all passed, everyone passed, everybody passed, passed in, \
thrown in, throw in, threw in, redeal, re-deal, no bid, no bids, pass out, alla pass, alla \
passade, alla passar, passade, passat, omgiv, ny giv, omgivning, inga bud, inget bud, passi, \
passattu, kaikki passi, kaikki passasivat, kaikki passaa, uusi jako, ei tarjousta, ei tarjouksia, \
paso, pasó, pasan, pasaron, todos pasan, todos pasaron, todos paso, pasado, sin puja, sin pujas, \
sin apuesta, se pasa""")
"""What stands in place of a bid for a deal that was thrown in."""
TRUMPS: Final = _table("""
    S: s, ♠, ♤, spade, spades, sp, spader, pata, padat, pa, p, picas, pica, espadas, espada
    H: h, ♥, ♡, ❤, heart, hearts, ht, he, hj, hjärter, hjärtan, hertta, hertat, corazones, \
corazón, cor, copas, copa
    D: d, ♦, ♢, diamond, diamonds, di, dia, ru, ruter, ruutu, ruudut, diamantes, diamante, oros, \
oro
    C: c, ♣, ♧, club, clubs, cl, k, kl, klöver, x, ri, risti, ristit, t, tr, tréboles, trébol, \
bastos, basto
    NT: nt, no trump, no trumps, notrump, notrumps, sans, sang, utan trumf, ingen trumf, ei \
valttia, valtiton, sin triunfo, sin triunfos
""")
OPEN_SUITS: Final = {"r": ("ruter, ruutu", "risti"), "c": ("clubs", "corazones")}
"""Letters that languages use for different suits; see ``style``."""
STAKES: Final = _table("""
    : no, n, -, 0, 1, nej, ei, e, false, falskt, epätosi, falso
    double: double, doubled, dbl, yes, y, true, x, x2, 2, 2x, d, dubblat, dubblad, dubbel, ja, j, \
sant, tuplattu, tupla, kahdennettu, kyllä, k, tosi, doblado, doble, dobló, sí, verdadero
    redouble: redouble, redoubled, rdbl, rd, xx, x4, 4, 4x, redubblat, redubblad, vastatuplattu, \
vastakahdennettu, redoblado, redoble
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
