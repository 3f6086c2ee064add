"""``tricklog audit``: check logs against the rules."""

from __future__ import annotations

import shlex
from contextlib import nullcontext
from typing import TYPE_CHECKING, Literal

from rich.text import Text

from tricklog.ingest.cli.arguments import AllowEmpty, Flag, From, LogPath, need_adapter, recognised
from tricklog.ingest.cli.languages import Language, speaking
from tricklog.ingest.cli.output import (
    UserError,
    counts_sentence,
    err,
    need_hands,
    need_paths,
    one_form,
    out,
    own_command,
    print_json,
    put,
    remark,
    write_text,
)
from tricklog.ingest.cli.rulesets import wanted_rules
from tricklog.ingest.cli.score_sheets import UNSAID, SheetOptions, reader_of
from tricklog.schemas.languages.current import ENGLISH, current
from tricklog.schemas.languages.messages import say, say_counted, say_in
from tricklog.schemas.languages.numbers import number
from tricklog.schemas.printable import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.text import Text

    from tricklog.core import Finding, Replay
    from tricklog.core.study import OpenHand
    from tricklog.ingest.cli.audit_forms import Report
    from tricklog.ingest.cli.progress import ProgressLine
    from tricklog.ingest.cli.unread_lines import UnreadLines
    from tricklog.ingest.loading.auditing import Audit, AuditedLine
    from tricklog.ingest.text_form.problems import Problem

Format = Literal["text", "json", "github", "sarif", "junit", "line"]
EXAMPLES = """\
  tricklog audit last-night.jsonl        # one file
  tricklog audit logs/                   # every log in a folder
  tricklog audit logs/ --format github   # annotations for a build server
  tricklog audit logs/ --language fi     # the findings in Finnish
  tricklog audit scores.csv --variant pedro    # a score sheet, without cards
  zcat server.jsonl.gz | tricklog audit - --json > report.jsonl"""


def audit(  # noqa: PLR0913 - all but the paths are named
    *paths: LogPath,
    mode: Literal["audit", "strict", "salvage"] = "audit",
    source: From = None,
    sheet: SheetOptions = UNSAID,
    solve: Flag = False,
    allow_empty: AllowEmpty = False,
    format: Format | None = None,  # noqa: A002 - the name of the option
    docs_url: str = "",
    json: Flag = False,
    language: Language | None = None,
) -> int:
    """Check hands and games against the rules.

    Hands are replayed one by one, and the hands of one game are checked together. Every finding is
    shown with the card table at that moment, the sentence and the rule. The summary accounts for
    every line read. Of lines of a file that cannot be read for one reason the first is shown, the
    others are counted.

    Args:
        paths: Files, folders or - for standard input: .jsonl, .ndjson, .json and texts
            (.trick), each also as .gz or .zst. Or score sheets: .csv, .tsv, .xlsx, .ods.
        mode: What to do at a finding: go on while the hand stays defined (audit), refuse the hand
            (strict), or keep the legal part before it (salvage).
        sheet: By which rules every hand is judged instead of those that it names, and how score
            sheets are read.
        solve: Also what each valid hand was worth with all cards open, and which cards cost
            something.
        format: text for people; json, as --json; for other programs github (annotations), sarif,
            junit or line (file:line:column).
        docs_url: Where the pages of docs/rules are published, for the links of --format sarif.
        json: One JSON object a line, for every hand and every line that could not be read.
        language: The language of the text: en, sv, fi, es, hi or bn. English unless said here or in
            TRICKLOG_LANGUAGE. What is for programs stays English, and so does what is said about
            lines that could not be read.
    """
    need_paths(paths, "audit")
    form = _form(format, json=json, solve=solve, docs_url=docs_url)
    _check_language(language, form)
    from tricklog import ingest
    from tricklog.ingest.cli.progress import ProgressLine
    from tricklog.ingest.cli.unread_lines import UnreadLines

    need_adapter(source)
    rules = None if sheet.reads(paths) else sheet.variant
    reader = source if rules else reader_of(paths, sheet, source)
    reader = reader or recognised(paths)
    ruleset = wanted_rules(rules) if rules else None
    unread = UnreadLines("audit", paths)
    study = _Study() if solve else None
    spoken = speaking(language) if form == "text" else nullcontext()
    with spoken, ProgressLine("Auditing") as line:
        run = ingest.audit(
            *paths,
            mode=mode,
            on_progress=line.report,
            ruleset=ruleset,
            adapter=reader,
            on_warning=_print_warning,
        )
        if form == "json":
            for item in run:
                _print_json(item, study.of(item) if study else None)
        elif form == "text":
            _tell(run, line, unread, study, rules)
        else:
            from tricklog.ingest.cli.audit_forms import report_as

            _write_report(run, report_as(form, write_text, docs_url), unread)
    if form not in ("text", "json"):
        remark(counts_sentence(run.counts))
        _print_unread(err(), unread.advice())
    need_hands(run.counts.lines - run.counts.blank, paths, allow_empty=allow_empty)
    return run.exit_status


def _write_report(run: Audit, report: Report, unread: UnreadLines) -> None:
    """Write what another program reads."""
    for item in run:
        if item.line.reject:
            unread.note(item.line.reject)
        report.add(item)
    report.end(run)


def _tell(
    run: Audit, line: ProgressLine, unread: UnreadLines, study: _Study | None, rules: str | None
) -> None:
    """Print what people read."""
    console = out()
    for item in run:
        studied = study.of(item) if study else None
        text = unread.told(item.line.reject) if item.line.reject else None
        with line.aside() if text or _is_told(item) or studied else nullcontext():
            if text:
                console.print(text, end="\n\n")
            elif _is_told(item):
                _print(console, item, rules)
            if studied and item.replay:
                _print_study(console, item, item.replay, studied)
    _print_unread(console, unread.rest())
    _print_summary(console, run)
    if study:
        put(study.text())


def _check_language(language: Language | None, form: Format) -> None:
    if language not in (None, ENGLISH) and form != "text":
        raise UserError(
            f"--format {form} is for programs, and English alone", "Leave out --language."
        )


def _form(format_: Format | None, *, json: bool, solve: bool, docs_url: str) -> Format:
    """Return the form asked for. Raises ``UserError`` for options that do not go together."""
    form = one_form(format_, json=json) or "text"
    if solve and form not in ("text", "json"):
        raise UserError(
            f"--format {form} has no place for what --solve finds", "Use --format text or json."
        )
    if docs_url and form != "sarif":
        raise UserError("--docs-url is for --format sarif", "Leave it out.")
    return form


class _Study:
    """Valid hands with all cards open, one after the other, and what they come to."""

    def __init__(self) -> None:
        from tricklog.ingest.study.plain import Solvers

        self._solvers = Solvers()
        self._hands = self._could = self._lost = 0

    def of(self, item: AuditedLine) -> OpenHand | str | None:
        """Return a hand with all cards open, or why it is refused; nothing of one not valid."""
        if item.replay is None or item.replay.verdict != "valid":
            return None
        found = self._solvers.study(item.replay)
        if not isinstance(found, str):
            self._hands += 1
            self._could += found.could_be_made is True
            self._lost += sum(each.loss or 0 for each in found.decisions)
        return found

    def text(self) -> str:
        """Return what the hands come to."""
        from tricklog.ingest.cli.study_text import sum_text

        return sum_text(self._hands, self._could, self._lost)


def _print_json(item: AuditedLine, studied: OpenHand | str | None) -> None:
    if item.replay or item.line.reject or item.duplicate_of:
        told = item.to_json()
        if studied:
            from tricklog.ingest.study.telling import study_json

            told["solved"] = study_json(studied)
        print_json(told)


def _print_study(
    console: Console, item: AuditedLine, replayed: Replay, studied: OpenHand | str
) -> None:
    """Print what a hand was worth and, below that, the cards that cost something."""
    from tricklog.ingest.cli.study_text import dear_cards, in_short

    head = Text(f"{one_line(item.line.file)}:{item.line.line}  ", "bold")
    head.append(f"{one_line(replayed.hand.id)}  ")
    head.append(in_short(studied), "not bold default")
    console.print(head, soft_wrap=True)
    if dear := dear_cards(studied, replayed):
        console.print(Text(f"  {dear}", "dim"), soft_wrap=True)


def _print_warning(file: str, warning: Problem) -> None:
    from tricklog.ingest.cli.unread_lines import warning_text

    remark(warning_text(file, warning))


def _is_told(item: AuditedLine) -> bool:
    # Lines of a score sheet that are in order would only repeat that they have no cards.
    quiet = item.replay and item.replay.verdict == "partial" and not item.replay.hand.actions
    doubts = item.replay.doubts if item.replay and not quiet else ()
    return bool(item.findings or doubts)


def _print(console: Console, item: AuditedLine, rules: str | None) -> None:
    from tricklog.core.render.sentences import verdict_text

    replayed = item.replay
    if replayed is None:
        return
    head = Text(f"{one_line(item.line.file)}:{item.line.line}  ", "bold")
    head.append(f"{one_line(replayed.hand.id)}  ")
    head.append(
        verdict_text(replayed, len(item.game_findings)), "bold red" if item.findings else "yellow"
    )
    console.print(head)
    if item.findings:
        _print_findings(console, item, replayed, rules)
        console.print()


def _print_unread(console: Console, texts: Sequence[Text]) -> None:
    for text in texts:
        console.print(text, soft_wrap=True)
    if texts:
        console.print()


def _print_findings(
    console: Console, item: AuditedLine, replayed: Replay, rules: str | None
) -> None:
    """Print the table at each step with a finding, once, with the findings that show there.

    Of a row of a score sheet the findings are printed alone: there is nothing on the table.
    """
    from rich.padding import Padding

    from tricklog.core.render.sentences import moment_of
    from tricklog.core.render.terminal import finding_text, table
    from tricklog.ingest.score_sheets.places import cell_words, is_of_sheet

    if is_of_sheet(replayed.hand):
        for finding in item.findings:
            where = cell_words(replayed.hand, finding)
            console.print(finding_text(finding, place=where))
        return
    steps = [moment_of(finding, replayed) for finding in replayed.findings]
    for step in dict.fromkeys(steps):
        if step is not None:
            console.print(Padding(table(replayed.at(step), replayed), (1, 0, 0, 2)))
    aside = [
        finding for finding, step in zip(replayed.findings, steps, strict=True) if step is None
    ]
    for finding in (*aside, *item.game_findings):
        console.print(finding_text(finding, place=True))
    _print_places(console, item)
    step = next((step for step in steps if step is not None), 0)
    _print_way_there(console, item, step, replayed.findings, rules)


def _print_places(console: Console, item: AuditedLine) -> None:
    """Print where in the file each finding is, of a hand over several lines."""
    if item.line.is_on_one_line:
        return
    for finding in item.findings:
        span = item.line.span_of(finding.pointer)
        place = f"  {one_line(item.line.file)}:{span.line}:{span.column}: {finding.code}"
        console.print(Text(place, "dim"), soft_wrap=True)


def _print_way_there(
    console: Console,
    item: AuditedLine,
    step: int,
    findings: tuple[Finding, ...],
    rules: str | None,
) -> None:
    """Print the command that shows the same moment again."""
    if item.line.file == "<stdin>" or not item.replay or not findings:
        return
    words = ["replay", item.line.file, "--hand", item.replay.hand.id, "--at", str(step)]
    if rules:
        words += ["--variant", rules]
    if current() != ENGLISH:
        words += ["--language", current()]
    command = f"{own_command()} {shlex.join(words)}"
    shown = one_line(f"  {say('See it: {command}', command=command)}")
    console.print(Text(shown, "dim"), soft_wrap=True)


def _print_summary(console: Console, run: Audit) -> None:
    from tricklog.core.render.sentences import hands_with_verdict

    console.print(Text(counts_sentence(run.counts), "bold"))
    verdicts = [str(hands_with_verdict(*each)) for each in run.verdicts.most_common()]
    console.print(say("Hands: {verdicts}", verdicts=_listed(verdicts)))
    codes = [f"{number(count)} {code}" for code, count in run.codes.most_common()]
    console.print(say("Findings: {codes}", codes=_listed(codes)))
    if run.same_plays:
        console.print(
            say_counted(
                "{count} hand with the deal and play of a hand with another id",
                "{count} hands with the deal and play of a hand with another id",
                run.same_plays,
            )
        )


def _listed(counted: Sequence[str]) -> str:
    return ", ".join(counted) or say_in("hands or findings", "none")
