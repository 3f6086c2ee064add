"""Findings on a page: what is wrong, where it shows, and the rule behind it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.core import Finding, Replay
from tricklog.core.judging.findings import finding_said
from tricklog.core.render.sentences import moment_of, title_said
from tricklog.dashboard.text.escaping import as_html, as_markdown, sentence_html
from tricklog.ingest.sheets.games import game_of_hand
from tricklog.ingest.sheets.sheet import sentences_of, sheets_of
from tricklog.ingest.store import queries
from tricklog.schemas.citations import text_of, titles_of
from tricklog.schemas.languages.current import ENGLISH, current
from tricklog.schemas.languages.messages import Message, plain, say

# The rules pages link to each other as files, which the dashboard does not serve.
_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)]+\)")


def of_hand(connection: DuckDBPyConnection, replayed: Replay) -> list[tuple[Finding, int | None]]:
    """Return the findings of a hand and its game with the step each shows at.

    The step is ``None`` for what is wrong beside the other hands of the game.
    """
    rows = queries.findings_of(connection, replayed.hand.id).iter_rows(named=True)
    found = in_language(connection, [of_row(row) for row in rows], replayed)
    return [(finding, moment_of(finding, replayed)) for finding in found]


def in_language(
    connection: DuckDBPyConnection, found: list[Finding], replayed: Replay | None
) -> list[Finding]:
    """Return stored findings of a hand with their sentences in the language of this context.

    A warehouse has them in English. In another language the hand, and where that is not enough its
    game, is judged again; what nobody can judge again stays in English.
    """
    if current() == ENGLISH or replayed is None:
        return found
    said = {each.message: each.said for each in replayed.findings}
    if any(each.message not in said for each in found):
        said |= dict(_said_of_game(connection, replayed.hand.id))
    return [replace(each, said=said.get(each.message, each.said)) for each in found]


def _said_of_game(connection: DuckDBPyConnection, hand_id: str) -> Iterator[tuple[str, Message]]:
    game = game_of_hand(connection, hand_id)
    for sheet in sheets_of(connection, game) if game is not None else []:
        for (hand, sentence), said in sentences_of(connection, sheet).items():
            if hand == hand_id:
                yield sentence, said


def of_row(row: dict[str, Any]) -> Finding:
    """Return the finding of a row of ``listings.findings_of`` or ``finding_list``."""
    own = {name: row[name] for name in ("code", "action", "pointer", "seat", "legal", "rule")}
    return Finding(**own, facts=json.loads(row["facts"]), said=plain(row["message"]))


def place_words(step: int | None) -> str:
    """Return where a finding shows: ``Step 17``."""
    return say("The game") if step is None else say("Step {step}", step=step)


def place_words_within(step: int | None) -> str:
    """Return where a finding shows, within a line: ``step 17``."""
    return say("the game") if step is None else say("step {step}", step=step)


def finding_title(code: str) -> str:
    """Return the name of a finding as a heading: ``Bid too low``."""
    name = str(finding_said(code))
    return name[:1].upper() + name[1:]


def finding_html(finding: Finding, more: str = "") -> str:
    """Return a finding as HTML: its name and its sentence; ``more`` is HTML that stands after."""
    said = " ".join(filter(None, [sentence_html(str(finding.said)), more]))
    title = as_html(finding_title(finding.code))
    return f'<div class="tl-finding"><b>{title}.</b> {said}</div>'


def show_rules(finding: Finding) -> None:
    """Offer the text of each rule a finding cites."""
    for name, title in titles_of(finding.rule):
        if not title:
            st.caption(as_markdown(say("Rule {name}", name=name)))
            continue
        with st.expander(say("Rule {name}: {title}", name=name, title=title_said(title))):
            st.markdown(rule_text(name))


def rule_text(name: str) -> str:
    """Return the text of a rule as Markdown, without its heading and without links."""
    _, _, text = text_of(name).partition("\n")
    return _LINK.sub(r"\1", text)
