"""What the study of one hand found, in words and as JSON: its value, par, ledger, other rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.text import Text

from tricklog.core import Outcome, Replay
from tricklog.core.engine.rules.table import side_of
from tricklog.core.study import Decision, OpenHand, Refused, Solver, Value
from tricklog.core.study.averages import Averages
from tricklog.core.study.contracts import AuctionPar, Contract
from tricklog.core.study.elsewhere import Elsewhere, NotThere, Rescored, Resolved
from tricklog.core.study.ledger import Ledger, ledger_of, refusal_of_record, shown_in
from tricklog.core.study.sampling import Amount, Sampled, Unit, reach_of
from tricklog.ingest.cli.output import values_of
from tricklog.ingest.cli.text_table import aligned, boxed
from tricklog.ingest.study.par import seats_of, trump_of
from tricklog.ingest.study.telling import Judged, judged_for
from tricklog.schemas.actions import bid_name
from tricklog.schemas.cards import pretty_card
from tricklog.schemas.printable import one_line
from tricklog.schemas.render import player_labels, trump_words
from tricklog.schemas.words import counted


def _names(replayed: Replay) -> list[str]:
    return [one_line(label) for label in player_labels(replayed.hand)]


def _together(names: Sequence[str], seats: Iterable[int]) -> str:
    return " & ".join(names[seat] for seat in seats)


def _in_suit(contract: Contract) -> str:
    return "" if contract.trump < 0 else f", {trump_words(contract.trump)}"


def _range(value: Value) -> str:
    return str(value.low) if value.is_exact else f"{value.low} to {value.high}"


# --- With all cards open


def in_short(studied: OpenHand | str) -> str:
    """Return in one sentence what a hand was worth, without a full stop."""
    if isinstance(studied, str):
        return f"not solved: {studied}"
    says = f"par {_range(studied.par)} {studied.unit}"
    if studied.need is not None:
        could = {True: "could be made", False: "no play makes it", None: "not known if it is made"}
        says += f", needed {studied.need}: {could[studied.could_be_made]}"
    says += f"; taken {_range(studied.outcome)}"
    lost = {True: 0, False: 0}
    for each in studied.decisions:
        if each.loss is None:
            return says
        lost[each.by_makers] += each.loss
    return f"{says}; makers lost {lost[True]}, others {lost[False]}"


def dear_cards(studied: OpenHand | str, replayed: Replay) -> str:
    """Return the cards that cost something, each with who played it and what it cost."""
    decisions = () if isinstance(studied, str) else studied.decisions
    names = _names(replayed)
    dear = (each for each in decisions if each.loss)
    return ", ".join(f"{names[each.seat]} {_cards(each)} cost {each.loss}" for each in dear)


def _cards(each: Decision) -> str:
    shown = {"silence": "not declared: ", "surplus": "put down: "}.get(each.kind, "")
    asked = "trump shown, " if each.showed else ""
    return f"{asked}{shown}{' '.join(map(pretty_card, each.cards))}"


def study_text(
    studied: OpenHand | str, replayed: Replay, judged: Mapping[int, Judged]
) -> RenderableType:
    """Return what a hand was worth, and every decision with what it cost.

    ``judged``: what decisions cost as far as their players could know, by index of the action.
    """
    head = Text("With all cards open", "bold")
    if isinstance(studied, str):
        return Group(head, Text(in_short(studied)))
    known = ("judged", "luck") if judged else ()
    numbers = {"action", "trick", "choices", "value", "cost", "score", *known}
    heads = ("action", "trick", "player", "card", "choices", "value", "cost", "score", *known)
    # Where the terminal is narrow words go on below; numbers stay on one line.
    rows = boxed(heads, fixed=numbers, padding=(0, 1, 0, 0))
    names = _names(replayed)
    for each in studied.decisions:
        kind = "" if each.loss_kind in (None, "other") else f", {each.loss_kind}"
        graded = judged_for(each, judged)
        lost, lost_score = (
            "?" if loss is None else str(loss or "") for loss in (each.loss, each.score_loss)
        )
        cells = [str(each.action), str(each.trick), names[each.seat], f"{_cards(each)}{kind}"]
        cells += [str(each.choices), _range(each.after), lost, lost_score]
        if graded:
            cells += [f"{graded.judged:.1f} ±{graded.reach:.1f}", f"{graded.luck:+.1f}"]
        rows.add_row(*cells, style="bold" if each.loss else "")
    notes = [f"No cost in score: {studied.no_score}"] if studied.no_score else []
    if judged:
        worlds = {each.worlds for each in judged.values()}
        deals = f"{min(worlds)} to {max(worlds)}" if len(worlds) > 1 else str(*worlds)
        notes.append(
            f"judged: what it cost as far as the player could know, on the average of {deals} "
            "deals, ± how far it may be off, 95 % sure; luck: the rest of the cost, which the lie "
            "of the cards made"
        )
    return Group(head, Text(in_short(studied)), rows, *(Text(note, "dim") for note in notes))


def sum_text(hands: int, could: int, lost: int) -> str:
    """Return what solved hands come to: how many, contracts that could be made, points lost."""
    return (
        f"With all cards open: {counted(hands, 'hand')} solved, {counted(could, 'contract')} that "
        f"could be made, {lost:,} lost by cards together"
    )


# --- Par of the auction


def par_text(replayed: Replay, par: AuctionPar | str) -> RenderableType:
    """Return what each side could have made, who has the auction at par, and what was bid."""
    head = Text("Par of the auction", "bold")
    if isinstance(par, str):
        return Group(head, Text(f"none: {par}"))
    names, rows = _names(replayed), []
    for best in par.best:
        maker = best.contract.maker
        off = f" ± {reach_of(best.worth.points):.1f}" if par.stocks > 1 else ""
        rows.append(
            (
                _together(names, seats_of(replayed, best.side)),
                f"{names[maker]}{_in_suit(best.contract)}",
                str(best.most) if best.most >= replayed.rules.min_bid else "no bid",
                f"{float(best.worth.mean):.1f}{off}",
                "at par" if par.contract and par.contract.maker == maker else "",
            )
        )
    table = boxed(("side", "best contract", "makes", "points", ""), rows)
    return Group(head, table, *(Text(f"{each}.") for each in _par_sentences(replayed, par)))


def _par_sentences(replayed: Replay, par: AuctionPar) -> Iterator[str]:
    """Yield in sentences without a full stop who has the auction at par, and what was bid."""
    rules, contract, names = replayed.rules, par.contract, _names(replayed)
    stocks = "as all cards are known" if par.stocks == 1 else f"on {par.stocks} stocks dealt again"
    if contract is None:
        yield f"At par nobody bids, {stocks}: no side makes {rules.min_bid}"
    else:
        plays = f"{names[contract.maker]} plays {contract.number}{_in_suit(contract)}"
        yield f"At par {plays}, {stocks}"
    if par.maker < 0:
        if par.passed_out:
            yield "Nobody bid, and it could be made"
        return
    side = _together(names, seats_of(replayed, side_of(rules, par.maker)))
    over = par.over(rules) or 0
    if par.beyond_all_play(rules):
        said = f"no play of {side} makes it on any stock"
    elif over == 0:
        said = f"just what {side} can make"
    else:
        said = f"{abs(over)} {'more' if over > 0 else 'less'} than {side} can make"
    yield f"{names[par.maker]} bid {par.bid}: {said}"


# --- The ledger

DEALS: Final = 10
"""Deals that the average is over, at the least."""
_TITLES: Final = {"makers": "play, makers", "defence": "play, defence"}


def found_ledger(replayed: Replay) -> Ledger:
    """Return the ledger of a hand. Raises ``Refused`` for hands that have none."""
    if why_not := refusal_of_record(replayed):
        raise Refused(why_not)
    solver = Solver(replayed.rules)
    averages = Averages(replayed.ruleset, replayed.rules.seats)
    averages.ensure(DEALS, solver)
    return ledger_of(replayed, solver=solver, averages=averages)


def ledger_lines(replayed: Replay, ledger: Ledger) -> list[str]:
    """Return a line for each part of a ledger, and what each player chose in it."""
    names = _names(replayed)
    # Start, parts, who chose in each, and the result, in tenths that add up.
    heads = [("start", "")]
    for term in ledger.terms:
        heads.append((_TITLES.get(term.name, term.name), term.whose))
        heads += [(f"  {names[seat]}", "") for seat, _ in term.players]
    heads.append(("result", ""))
    columns = _column(ledger, "points", len(heads)), _column(ledger, "score", len(heads))
    rows = [(*head, *cells) for head, *cells in zip(heads, *columns, strict=True)]
    titles = ["part", "whose", "points", "score, makers less others"]
    missing = {"points": ledger.no_points, "score": ledger.no_score}
    contract = ledger.par.contract
    at_par = " nobody could make a bid."
    if contract is not None:
        at_par = f": {names[contract.maker]} {contract.number}{_in_suit(contract)}."
    return [
        f"Hand {replayed.hand.id}: where the result of {_together(names, ledger.makers)} came from",
        *aligned(titles, [False, False, True, True], rows),
        (
            f"Other stocks dealt: {ledger.stocks}; deals in the average: {ledger.deals}. The parts "
            "sum to the result exactly; ± says how far sampling may be off, 95 % sure."
        ),
        *(f"Not in {unit}: {reason}." for unit, reason in missing.items() if reason),
        f"At par of the auction{at_par}",
    ]


def _column(ledger: Ledger, unit: Unit, size: int) -> list[str]:
    def tenths(value: Fraction, amount: Sampled | None = None) -> str:
        reach = amount.reach_in(unit) if amount else 0.0
        return f"{float(value):+.1f}{f' ±{reach:.1f}' if reach else ''}"

    shown = shown_in(ledger, unit)
    if shown is None:
        return ["-"] * size
    cells = [tenths(shown.start, ledger.start)]
    for term, part, players in zip(ledger.terms, shown.parts, shown.players, strict=True):
        cells += [tenths(part, term.amount), *(tenths(value) for _, value in players)]
    return [*cells, tenths(shown.result)]


def ledger_json(replayed: Replay, ledger: Ledger) -> dict[str, Any]:
    """Return the object that ``--json`` prints; seats count as in the record."""
    contract = ledger.par.contract
    return {
        "hand_id": replayed.hand.id,
        "ruleset": replayed.ruleset.hash,
        "maker": ledger.maker,
        "makers": ledger.makers,
        "start": _numbers(ledger.start),
        "parts": [
            {"name": term.name, "whose": term.whose}
            | _numbers(term.amount)
            | {"players": {str(seat): _numbers(own) for seat, own in term.players}}
            for term in ledger.terms
        ],
        "brought": _numbers(ledger.result),
        "no_points": ledger.no_points,
        "no_score": ledger.no_score,
        "par": contract and values_of(contract) | {"trump": trump_of(contract.trump)},
        "stocks": ledger.stocks,
        "deals": ledger.deals,
    }


def _numbers(amount: Amount) -> dict[str, Any]:
    told: dict[str, Any] = {"part_points": amount.points, "score": amount.score}
    if isinstance(amount, Sampled):
        told["points_error"] = None if amount.points is None else amount.points_error
        told["score_error"] = None if amount.score is None else amount.score_error
    return told


# --- Under other rules

_ENDS: Final = {"made": "made", "set": "set", "void": "void", "thrown_in": "thrown in"}


def elsewhere_lines(replayed: Replay, title: str, found: Elsewhere | NotThere) -> Iterator[str]:
    """Yield the lines about a hand under the rules called ``title``."""
    own = replayed.ruleset.title
    yield f"Hand {replayed.hand.id} · {own}, under the rules of {title}"
    if isinstance(found, NotThere):
        yield f"It does not fit: {_refused(found)}"
        return
    yield "The deal fits: " + (
        "the same calls lead to the same contract."
        if found.same_calls
        else "the contract can be bid there, by other calls than those recorded."
    )
    heads = [f"in {own}", f"in {title}", "difference"]
    width = max(map(len, heads))
    here, there, difference = (f"  {head:{width}}  " for head in heads)
    yield from _rescored_lines(replayed, found, here, there, difference)
    resolved = found.resolved
    if isinstance(resolved, NotThere):
        yield f"Not re-solved: {_refused(resolved)}"
    else:
        yield "With all cards open, from the first card on:"
        values = [(here, resolved.par_here, resolved.need_here)] if resolved.par_here else []
        for place, value, need in (*values, (there, resolved.value, resolved.need)):
            needed = "" if need is None else f" and need {need}"
            yield f"{place}the makers take {_range(value)} {resolved.unit}{needed}"
    if found.not_legal:
        yield f"Not legal there ({counted(len(found.not_legal), 'step')} of the play):"
        for each in found.not_legal:
            yield f"  {each.action:>3}  {each.sentence} [{each.rule}]"


def _rescored_lines(
    replayed: Replay, found: Elsewhere, here: str, there: str, difference: str
) -> Iterator[str]:
    rescored = found.rescored
    if isinstance(rescored, NotThere):
        yield f"Not rescored: {_refused(rescored)}"
        return
    names, sides = _names(replayed), range(replayed.rules.side_count)
    # In the order of their points and scores.
    told = " : ".join(_together(names, seats_of(replayed, side)) for side in sides)
    yield f"Rescored, without the scores before the hand ({told}):"
    for place, each in ((here, rescored.here), (there, rescored.there)):
        bid = "no number" if each.bid is None else bid_name(each.bid)
        points = " : ".join(map(str, each.points))
        yield f"{place}{bid} {_ENDS[each.result]}: points {points}, score {_signed(each.change)}"
    if _unit(replayed.ruleset.values) != _unit(found.ruleset.values):
        yield "  One game counts card points and the other game points, so scores do not compare."
    elif rescored.by_side is not None:
        yield f"{difference}score {_signed(rescored.by_side)}"


def _signed(values: tuple[int, ...]) -> str:
    return " : ".join(f"{each:+}".replace("-", "−") if each else "0" for each in values)


def _unit(values: dict[str, Any]) -> str:
    return "game points" if values["made"] == "game-point" else "card points"


def _refused(why: NotThere) -> str:
    return f"{why.sentence} [{why.rule}]" if why.rule else why.sentence


def elsewhere_json(replayed: Replay, under: str, found: Elsewhere | NotThere) -> dict[str, Any]:
    """Return what the lines say as one JSON object; ``under``: the id of the other rules."""
    head = {
        "hand_id": replayed.hand.id,
        "variant": replayed.ruleset.id,
        "ruleset": replayed.ruleset.hash,
        "under": under,
        "players": player_labels(replayed.hand),
        "fits": isinstance(found, Elsewhere),
    }
    if isinstance(found, NotThere):
        return head | _part_json(found)
    units = {"here": _unit(replayed.ruleset.values), "there": _unit(found.ruleset.values)}
    return {
        **head,
        "under_ruleset": found.ruleset.hash,
        "scored_in": units,
        "same_calls": found.same_calls,
        "actions": found.hand.actions,
        "rescored": _part_json(found.rescored),
        "resolved": _part_json(found.resolved),
        "not_legal": [values_of(each, sentence="message") for each in found.not_legal],
    }


def _part_json(part: Rescored | Resolved | NotThere) -> dict[str, Any]:
    """Return an answer, or why it is refused."""
    if isinstance(part, NotThere):
        return {"refused": values_of(part, sentence="message")}
    if isinstance(part, Resolved):
        return values_of(part)

    def outcome(ended: Outcome) -> dict[str, Any]:
        names = ("result", "maker", "need", "points", "change")
        told = {name: getattr(ended, name) for name in names}
        return told | {"bid_name": None if ended.bid is None else bid_name(ended.bid)}

    return {"here": outcome(part.here), "there": outcome(part.there), "by_side": part.by_side}
