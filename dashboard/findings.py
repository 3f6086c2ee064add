"""Findings on a page: what is wrong, where it shows, and the rule behind it."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard.escaping import as_html, as_markdown, sentence_html
from dashboard.labels import title_of
from ingest.store import queries
from replay import Finding, Replay
from replay.render.sentences import moment_of
from schemas.citations import text_of, titles_of
from schemas.languages.messages import plain

# The rules pages link to each other as files, which the dashboard does not serve.
_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)]+\)")


def of_hand(connection: DuckDBPyConnection, replayed: Replay) -> list[tuple[Finding, int | None]]:
    """Return the findings of a hand and its game with the step each shows at.

    The step is ``None`` for what is wrong beside the other hands of the game.
    """
    rows = queries.findings_of(connection, replayed.hand.id).iter_rows(named=True)
    found = [of_row(row) for row in rows]
    return [(finding, moment_of(finding, replayed)) for finding in found]


def of_row(row: dict[str, Any]) -> Finding:
    """Return the finding of a row of ``listings.findings_of`` or ``finding_list``."""
    return Finding(
        code=row["code"],
        action=row["action"],
        pointer=row["pointer"],
        seat=row["seat"],
        facts=json.loads(row["facts"]),
        legal=row["legal"],
        rule=row["rule"],
        said=plain(row["message"]),
    )


def place_words(step: int | None) -> str:
    """Return where a finding shows: ``Step 17``."""
    return "The game" if step is None else f"Step {step}"


def finding_html(finding: Finding) -> str:
    """Return a finding as HTML: its name and its sentence."""
    return (
        f'<div class="tl-finding"><b>{as_html(title_of(finding.code))}.</b> '
        f"{sentence_html(finding.message)}</div>"
    )


def show_rules(finding: Finding) -> None:
    """Offer the text of each rule a finding cites."""
    for name, title in titles_of(finding.rule):
        if not title:
            st.caption(as_markdown(f"Rule {name}"))
            continue
        with st.expander(f"Rule {name}: {title}"):
            _, _, text = text_of(name).partition("\n")
            st.markdown(_LINK.sub(r"\1", text))
