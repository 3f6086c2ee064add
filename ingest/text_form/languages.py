"""The words of the text form in each language.

A row has the words of English, Swedish, Finnish and Spanish; these are written, and all are read
whatever language the rest is in. What is behind the bar is read as well and never written.
"""

from __future__ import annotations

from typing import Final

LANGUAGES: Final = ("en", "sv", "fi", "es")


def _rows(table: str) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return by meaning the words that are written and those that are only read.

    A line is ``meaning: word, word, word, word | others``; one word alone is that of all languages.
    """
    rows: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    for line in table.strip().splitlines():
        meaning, _, words = line.strip().partition(": ")
        written, _, read = words.partition("|")
        four = tuple(word.strip() for word in written.split(","))
        others = tuple(word.strip() for word in read.split(",") if word.strip())
        rows[meaning] = (four if len(four) > 1 else four * len(LANGUAGES), others)
    return rows


KEYWORDS: Final = _rows("""
    game: game, spel, peli, juego
    players: players, spelare, pelaajat, jugadores | seats
    match: match, parti, ottelu, partida | evening
    date: date, datum, päivä, fecha
    zone: zone, tidszon, aikavyöhyke, zona
    option: option, val, valinta, opción | options
    house: house, husregler, talon-säännöt, reglas | house rules
    definition: definition, definition, määritelmä, definición
    all: all, alla, kaikki, todas
    hand: hand, giv, jako, mano | deal
    id: id
    dealer: dealer, givare, jakaja, reparte | dealt by
    before: before, före, ennen, antes | scores before, score before
    stock: stock, talong, pakka, mazo
    kitty: kitty, katten, kissa, viuda
    contract: contract, kontrakt, sitoumus, contrato
    then: then, sedan, sitten, entonces
    points: points, poäng, pisteet, puntos | point
    change: change, ändring, muutos, cambio
    after: after, efter, jälkeen, después | scores after, score after
    winners: winners, stickare, tikit, bazas | won by
    result: result, resultat, tulos, resultado | made, set, down
    status: status, läge, tila, estado
    time: time, tid, aika, hora | at
    remark: remark, anmärkning, huomautus, nota | remarks, note
    empty: empty, tomt, tyhjä, vacío
    ext: ext
    trick: trick, stick, tikki, baza
    bids: bids, budgivning, tarjoukset, subasta | auction, bidding, calls
""")
"""What a statement begins with."""

VERBS: Final = _rows("""
    has: has, har, sai, tiene | holds, held, had, dealt, got
    bid: bids, bjuder, tarjoaa, puja | bid
    pass: pass, pass, passi, paso | passes, passed, p
    ditto: ditto, samma, sama, igual | same
    tenny: tenny
    trump: trump, trumf, valtti, triunfo | trumps, names, makes
    kitty: takes, tar, ottaa, toma | takes kitty, took, kitty, takes up
    discard: discard, kastar, hylkää, descarta | discards, discarded, lays off, lay off
    discard-up: discard-up, kastar-öppet, hylkää-auki, descarta-visto | discards-up, discard up, \
discards up, discard face up, discards face up
    claim: claim, kräver, vaatii, reclama | claims, claimed
    draw: draw, drar, nostaa, coge | draws, drew
    rob: rob, plundrar, ryöstää, saquea | robs, robbed
    give: give, ger, antaa, entrega | gives, gave
    fold: fold, viker, taittaa, abandona | folds, folded
    bury: bury, begraver, hautaa, entierra | buries, buried
    play: play, spelar, pelaa, juega | plays, played, leads, led, lead
    out: out, ute, ulkona, fuera | is out, drops out
    ask: ask, frågar, kysyy, pide | asks, asked
    reveal: reveal, avslöjar, paljastaa, revela | reveals, revealed
    pair: pair, par, pari, pareja | pairs, royals, marriage
    double: double, dubblar, tuplaa, dobla | doubles, doubled
    redouble: redouble, redubblar, vastatuplaa, redobla | redoubles
    super: super
    solo: solo, ensam, yksin, solo | alone
    show: show, visar, näyttää, muestra | shows, showed
    throw-in: throw-in, kastar-in, keskeyttää, anula | throws in, throw in, threw in
    concede: concede, ger-upp, luovuttaa, concede | concedes, conceded
    decided: decided, avgjort, ratkennut, decidido
""")
"""What a player does."""

MISSING: Final = _rows("""
    auction: auction, budgivning, tarjoukset, subasta | bids, bidding, calls
    trumps: trumps, trumf, valtti, triunfo | trump, naming
    exchange: exchange, byte, vaihto, cambio | discards, draws
    tricks: tricks, stick, tikit, bazas | trick, play
    rest: rest, resten, loput, resto
""")
"""What is not recorded where three dots stand."""

THEN: Final = _rows("""
    won: won, vann, voitti, ganó | took it
    seen: seen, sedda, nähdyt, vistas
""")
"""What is known of the table behind three dots."""

TRUMPS: Final = _rows("""
    NT: NT, utan-trumf, ei-valttia, sin-triunfo | no trump, no trumps, notrump, notrumps, sans
    seventh: seventh, sjunde, seitsemäs, séptima | 7th, 7, seventh card
    reversed: reversed, omvänd, käännetty, invertido | reverse
""")

STATUSES: Final = _rows("""
    complete: complete, fullständig, valmis, completa
    in_progress: in progress, pågår, kesken, en curso
    abandoned: abandoned, avbruten, keskeytetty, interrumpida
    thrown_in: thrown in, omgiven, uusi jako, anulada
    claimed: claimed, krävd, vaadittu, reclamada
    decided: decided, avgjord, ratkennut, decidida
""")

RESULTS: Final = _rows("""
    made: made, gjort, tehty, cumplido
    set: set, bet, pieti, perdido | down, failed
""")

BY: Final = ("by", "med", "erolla", "por")
"""Before the points by which a contract was made or missed."""

NONE: Final = _rows("""
    none: none, ingen, ei-mitään, nada | ei mitään, no, cards, no card, no cards, inga
""")["none"]

SUITS: Final = _rows("""
    S: spades, spader, pata, picas | spade, ♠, ♤, sp, pica, padat
    H: hearts, hjärter, hertta, corazones | heart, ♥, ♡, hj, corazón, hertat
    D: diamonds, ruter, ruutu, diamantes | diamond, ♦, ♢, di, ru, diamante, ruudut
    C: clubs, klöver, risti, tréboles | club, ♣, ♧, cl, kl, trébol, ristit
""")

RANKS: Final = _rows("""
    A: ace, ess, ässä
    K: king, kung, kuningas, rey
    Q: queen, dam, rouva, dama | reina
    J: jack, knekt, jätkä, sota | sotilas
    T: ten, tio, kymmenen, diez | 10
    9: nine, nio, yhdeksän, nueve
    8: eight, åtta, kahdeksan, ocho
    7: seven, sju, seitsemän, siete
    6: six, sex, kuusi, seis
    5: five, fem, viisi, cinco
    4: four, fyra, neljä, cuatro
    3: three, tre, kolme, tres
    2: two, två, kaksi, dos
""")
"""Ranks in words, ``ace of hearts``; never written."""

OF: Final = ("of", "av", "de")
"""Between a rank and a suit in words."""
JOKERS: Final = ("joker", "jo", "jokeri", "comodín", "🃏")
AGAINST: Final = ("vs", "vs.", "against", "mot", "contra", "vastaan")
"""Between two partnerships in the names of the players."""
