"""What is compiled of studying hands: line after line read, replayed, solved, and walked through.

One call works on lines of one text whose hands have the same rules. Each is proved valid, solved
from its first card on, and played once more, to see what each decision cost and what else could
have been done. It says just what ``tricklog.core.study`` says of the same hand; a line that is not
as expected is left to that.
"""

from typing import Any, NamedTuple, TypeAlias

from tricklog.core.compiled.driver import Buffers, Lines, begin, read_record
from tricklog.core.engine import engine, hand_replay
from tricklog.core.engine.hand_replay import ANY_FAULT, Workspace
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules import play, scoring
from tricklog.core.engine.rules.table import side_of, trump_code
from tricklog.core.solver import answer, losses, score, start
from tricklog.core.solver.position import Board
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import ScannedAction
from tricklog.schemas.scan.line import scan_line
from tricklog.schemas.scan.text import SCANNED

Array: TypeAlias = Any
"""A numpy array."""

SOLVED, LIMITS, REFUSED, CAREFUL = range(4)
"""What becomes of a line; the last is left to careful reading."""

UNKNOWN = -1_000_000_000
"""In place of a number that is not known, or that there is none of."""
NO_PLAY = 100
NOT_NAMED = 101
"""Reasons of a refusal beside those of ``solver.start``."""
NOTHING = -1
UNNAMED = -2
"""In place of an index where the record shows no play, and where it does not name every card."""
STOPPED = 100
"""The reason why there is no score beside those of ``solver.score``."""
CHOICES = 255
"""The most choices that are counted."""
DECLARE_OR_NOT = 2


class Studied(NamedTuple):
    """One entry a line, and from ``action`` on one a decision."""

    ends: Array
    """By line, and one more: where its decisions begin, and those before end."""
    stop: Array
    """One number, which others may set: whether to stop before the next line."""
    done: Array
    """One number: how many lines are done."""
    status: Array
    reason: Array
    alone: Array
    need: Array
    par_low: Array
    par_high: Array
    outcome: Array
    made_open: Array
    losses_makers: Array
    losses_others: Array
    no_score: Array
    score_par: Array
    score_outcome: Array
    decisions: Array
    choices: Array
    action: Array
    seat: Array
    trick: Array
    turn: Array
    kind: Array
    cards: Array
    showed: Array
    by_makers: Array
    before: Array
    after: Array
    loss: Array
    score_loss: Array
    choice_count: Array
    loss_kind: Array


class Desk(NamedTuple):
    """What one hand after the other is studied with; arrays of one record each but for ``places``.

    A place to read and replay them is with it.
    """

    place: Buffers
    starts: Array
    """The state at the first card."""
    ends: Array
    """The state at the end of the hand."""
    shown: Array
    """A state in which the trump was shown."""
    words: Array
    """An action that nobody has taken."""
    places: Array
    """By deed: the index of its action."""
    rules: Rules
    dense: Rules
    """A copy of the rules, to be written into."""
    board: Board
    sheet: answer.Sheet
    out: Studied


class Scale(NamedTuple):
    """What points are worth in score."""

    reason: int
    """Why there is no score; ``score.SCORES`` when there is."""
    need: int
    total: int
    makers: int


def study_lines(log: Lines, desk: Desk, budget: int) -> int:
    """Study the hands of lines; return how many were dealt with before it was told to stop.

    ``budget``: nodes for each value.
    """
    place, rules, out = desk.place, desk.rules, desk.out
    line = place.workspace.line
    desk.sheet.numbers[1], desk.sheet.numbers[2] = budget, 0
    for index in range(len(log.starts)):
        if out.stop[0]:
            return index
        out.status[index] = CAREFUL
        out.ends[index + 1] = out.ends[index]
        count = -1
        if scan_line(log.text, log.starts[index], log.ends[index], line) == SCANNED:
            count = read_record(log.text, place)
        if count >= 0 and line.seats == rules.seats:
            begin(place)
            if hand_replay.prove_valid(place.workspace, rules, count, ANY_FAULT):
                desk.ends[0] = place.states[0]
                study_hand(desk, index, count)
        out.done[0] += 1
    return len(log.starts)


def study_hand(desk: Desk, index: int, count: int) -> None:
    """Write down what became of a valid hand."""
    first = note_deeds(desk, count)
    opening = desk.starts[0]
    reason = NO_PLAY if first == NOTHING else NOT_NAMED
    if first >= 0:
        begin_play(desk, first, count)
        reason = start.why_not(opening, desk.rules)
    if reason != start.VALUED:
        desk.out.status[index], desk.out.reason[index] = REFUSED, reason
        return
    rows = answer.answer(answer.HAND, desk.board, desk.dense, opening, desk.rules, desk.sheet)
    scale = scale_of(desk, rows - 1)
    note_values(desk, scale, index, rows - 1)
    if note_decisions(desk, scale, index, rows - 1, first):
        sum_up(desk, index, rows - 1)


def note_deeds(desk: Desk, count: int) -> int:
    """Note what the record shows of the play; return its first index, or what is amiss."""
    actions, sheet = desk.place.workspace.actions, desk.sheet
    first, deeds = NOTHING, 0
    for index in range(count):
        action = actions[index]
        if action.verb in (Verb.PLAY, Verb.BURY):
            if action.cards.bit_count() != max(1, action.size):
                return UNNAMED
            first = index if first < 0 else first
        elif first < 0 or action.verb not in (Verb.ASK, Verb.REVEAL, Verb.PAIR):
            continue
        sheet.deeds[deeds, 0], sheet.deeds[deeds, 1] = action.verb, action.seat
        sheet.deeds[deeds, 2], desk.places[deeds] = action.cards, index
        deeds += 1
    sheet.numbers[0] = deeds
    return first


def begin_play(desk: Desk, first: int, count: int) -> None:
    """Replay the hand up to its first card, and keep the state that values start from."""
    workspace, rules = desk.place.workspace, desk.rules
    desk.place.states[0] = desk.place.new_state[0]
    workspace.state.dealer = workspace.line.dealer
    hand_replay.lay_out(workspace, rules, count)
    engine.start(workspace.state, rules)
    play_on(workspace, rules, 0, first)
    desk.starts[0] = workspace.state
    opening = desk.starts[0]
    while opening.phase != Phase.PLAY:
        engine.enter(opening, rules)


# --- Values


def scale_of(desk: Desk, steps: int) -> Scale:
    """Return what points are worth in score, or why that cannot be said."""
    rules, opening, end = desk.rules, desk.starts[0], desk.ends[0]
    need = max(0, start.needed(opening, rules))
    makers = side_of(rules, scoring.maker_of(opening))
    reason = score.score_refusal(opening, rules, need)
    total = score.points_at_stake(opening, rules)
    points = value_of(desk.sheet, steps)
    if reason == score.SCORES and end.decided == 1 and points != UNKNOWN:
        would = score.change_with(opening, rules, need, points, total)
        if would != score.change_at_end(end, rules):
            reason = STOPPED
    return Scale(reason, need, total, makers)


def value_of(sheet: answer.Sheet, step: int) -> int:
    """Return the value before a decision, or at the end; ``UNKNOWN`` with limits only."""
    row = sheet.rows[step]
    return int(row[answer.LOW]) if row[answer.LOW] == row[answer.HIGH] else UNKNOWN


def scored(desk: Desk, scale: Scale, value: int) -> int:
    """Return the change of score that a value brings, if that can be said."""
    if scale.reason != score.SCORES or value == UNKNOWN:
        return UNKNOWN
    return score.change_with(desk.starts[0], desk.rules, scale.need, value, scale.total)


def note_values(desk: Desk, scale: Scale, index: int, steps: int) -> None:
    """Write down what a hand is worth."""
    sheet, out, opening = desk.sheet, desk.out, desk.starts[0]
    need = start.needed(opening, desk.rules)
    low, high = sheet.rows[0][answer.LOW], sheet.rows[0][answer.HIGH]
    out.reason[index] = start.VALUED
    out.alone[index] = 1 if opening.solo >= 0 else 0
    out.need[index] = UNKNOWN if need == start.NOTHING_TO_MAKE else need
    out.par_low[index], out.par_high[index] = low, high
    out.outcome[index] = value_of(sheet, steps)
    out.made_open[index] = UNKNOWN
    if need != start.NOTHING_TO_MAKE and not low < need <= high:
        out.made_open[index] = 1 if low >= need else 0
    out.no_score[index] = scale.reason
    out.score_par[index] = scored(desk, scale, value_of(sheet, 0))
    out.score_outcome[index] = scored(desk, scale, value_of(sheet, steps))


def sum_up(desk: Desk, index: int, steps: int) -> None:
    """Write down what the decisions of a hand come to, and that it is done."""
    sheet, out = desk.sheet, desk.out
    first, last = out.ends[index], out.ends[index] + steps
    makers = sum(out.loss[place] for place in range(first, last) if out.by_makers[place])
    others = sum(out.loss[place] for place in range(first, last) if not out.by_makers[place])
    choices = sum(1 for place in range(first, last) if out.choice_count[place] > 1)
    # No loss is below 0 but one that is not known.
    out.losses_makers[index] = UNKNOWN if makers < 0 else makers
    out.losses_others[index] = UNKNOWN if others < 0 else others
    out.decisions[index], out.choices[index] = steps, choices
    out.ends[index + 1] = last
    exact = value_of(sheet, 0) != UNKNOWN and value_of(sheet, steps) != UNKNOWN
    out.status[index] = SOLVED if exact and makers >= 0 and others >= 0 else LIMITS


# --- Decisions


def note_decisions(desk: Desk, scale: Scale, index: int, steps: int, first: int) -> bool:
    """Play the hand on, and write down each decision; return whether that could be done."""
    workspace, rules, sheet, out = desk.place.workspace, desk.rules, desk.sheet, desk.out
    current = first
    for step in range(steps):
        row = sheet.rows[step]
        action = desk.places[min(row[answer.DEED], sheet.numbers[0] - 1)]
        kind, seat, showed = row[answer.KIND], row[answer.SEAT], row[answer.SHOWED]
        earlier = earlier_moment(workspace, kind, seat, showed, action)
        if earlier < current:
            return False
        play_on(workspace, rules, current, earlier)
        count = row[answer.CARDS].bit_count()
        choices = choices_before(workspace.state, rules, kind, seat, showed, count)
        play_on(workspace, rules, earlier, action)
        current = action
        desk.shown[0] = workspace.state
        then, word = desk.shown[0], desk.words[0]
        choices += choices_at(workspace.state, then, word, rules, kind, seat, showed)
        place = out.ends[index] + step
        note_decision(desk, scale, place, step)
        out.action[place] = action
        out.trick[place] = max(1, workspace.state.trick)
        out.turn[place] = workspace.state.played
        out.choice_count[place] = min(choices, CHOICES)
        out.loss_kind[place] = UNKNOWN
        if out.loss[place] > 0 and choices > 1:
            card = row[answer.CARDS].bit_length() - 1
            out.loss_kind[place] = losses.kind_of_loss(
                workspace.state, rules, workspace.history, kind, seat, card, showed
            )
    return True


def note_decision(desk: Desk, scale: Scale, place: int, step: int) -> None:
    """Write down who decided what, and what it cost."""
    sheet, out = desk.sheet, desk.out
    row = sheet.rows[step]
    out.kind[place], out.seat[place] = row[answer.KIND], row[answer.SEAT]
    out.cards[place], out.showed[place] = row[answer.CARDS], row[answer.SHOWED]
    by_makers = side_of(desk.rules, row[answer.SEAT]) == scale.makers
    out.by_makers[place] = 1 if by_makers else 0
    before, after = value_of(sheet, step), value_of(sheet, step + 1)
    out.before[place], out.after[place] = before, after
    out.loss[place], out.score_loss[place] = UNKNOWN, UNKNOWN
    if UNKNOWN in (before, after):
        return
    out.loss[place] = before - after if by_makers else after - before
    worth, then = scored(desk, scale, before), scored(desk, scale, after)
    if worth != UNKNOWN:
        out.score_loss[place] = worth - then if by_makers else then - worth


def earlier_moment(workspace: Workspace, kind: int, seat: int, showed: int, action: int) -> int:
    """Return the index of the action at which the choice began: first surplus, or first word."""
    if kind == answer.SURPLUS:
        while action:
            before = workspace.actions[action - 1]
            if before.verb != Verb.BURY or before.seat != seat:
                break
            action -= 1
    elif showed:
        while action and workspace.actions[action - 1].verb in (Verb.ASK, Verb.REVEAL, Verb.PAIR):
            action -= 1
    return action


def play_on(workspace: Workspace, rules: Rules, current: int, action: int) -> None:
    """Carry out the actions from ``current`` up to ``action``, which comes next then."""
    for index in range(current, action):
        engine.apply(workspace.state, rules, workspace.actions[index])


def choices_before(
    state: State, rules: Rules, kind: int, seat: int, showed: int, count: int
) -> int:
    """Return how many choices of ``count`` cards there were when the choice began."""
    if kind == answer.SURPLUS:
        return sets_of_surplus(state, rules, seat, count)
    if kind == answer.CARD and showed:
        return play.legal_cards(state, rules, seat).bit_count()
    return 0


def choices_at(
    state: State, then: State, word: ScannedAction, rules: Rules, kind: int, seat: int, showed: int
) -> int:
    """Return how many more there were at the card; ``then``, a copy, and ``word`` are used up."""
    if kind == answer.SILENCE:
        return DECLARE_OR_NOT
    if kind == answer.SURPLUS:
        return 0
    count = play.legal_cards(state, rules, seat).bit_count()
    if not showed and losses.could_show(state, rules, seat):
        count += cards_once_shown(then, word, rules, seat)
    return count


def sets_of_surplus(state: State, rules: Rules, seat: int, count: int) -> int:
    """Return how many sets of so many cards could be put down."""
    options = play.legal_bury(state, rules, seat)
    limited = (options.may & options.limited).bit_count()
    others = options.may.bit_count() - limited
    return sum(
        ways(limited, few) * ways(others, count - few)
        for few in range(min(count, options.limit, limited) + 1)
    )


def ways(size: int, count: int) -> int:
    """Return how many sets of ``count`` things there are among ``size``."""
    if count < 0 or count > size:
        return 0
    found = 1
    for each in range(count):
        found = found * (size - each) // (each + 1)
    return found


def cards_once_shown(then: State, word: ScannedAction, rules: Rules, seat: int) -> int:
    """Return how many cards a seat could play once it has had the trump shown."""
    if seat != then.maker:
        word.seat, word.verb, word.amount = seat, Verb.ASK, 0
        engine.apply(then, rules, word)
    word.seat, word.verb, word.amount = then.maker, Verb.REVEAL, trump_code(then)
    engine.apply(then, rules, word)
    return play.legal_cards(then, rules, seat).bit_count()
