"""``tricklog audit``: check logs against the rules."""

from __future__ import annotations

from typing import Literal

from tricklog.ingest.cli.arguments import AllowEmpty, Flag, From, LogPath, need_adapter, recognised
from tricklog.ingest.cli.languages import Language, speaking
from tricklog.ingest.cli.output import UserError, need_apart, need_hands, need_paths, one_form
from tricklog.ingest.cli.rulesets import wanted_rules
from tricklog.ingest.cli.score_sheets import UNSAID, SheetOptions, reader_of

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
    form: Format = one_form(format, json=json) or "text"
    if solve and form not in ("text", "json"):
        raise UserError(
            f"--format {form} has no place for what --solve finds", "Use --format text or json."
        )
    if docs_url and form != "sarif":
        raise UserError("--docs-url is for --format sarif", "Leave it out.")
    why = "" if form == "text" else f"--format {form} is for programs, and English alone"
    spoken = speaking(language, why)
    from tricklog import ingest
    from tricklog.ingest.cli.audit_forms import Study, report_as
    from tricklog.ingest.cli.output import remark
    from tricklog.ingest.cli.progress import ProgressLine
    from tricklog.ingest.cli.unread_lines import UnreadLines, warning_text

    need_adapter(source)
    need_apart(None, paths)
    rules = None if sheet.reads(paths) else sheet.variant
    reader = source if rules else reader_of(paths, sheet, source)
    reader = reader or recognised(paths)
    ruleset = wanted_rules(rules) if rules else None
    study = Study() if solve else None
    with spoken, ProgressLine("Auditing") as line:
        run = ingest.audit(
            *paths,
            mode=mode,
            on_progress=line.report,
            ruleset=ruleset,
            adapter=reader,
            on_warning=lambda file, warning: remark(warning_text(file, warning)),
        )
        report = report_as(form, UnreadLines("audit", paths), line, docs_url, study, rules)
        for item in run:
            report.add(item)
        report.end(run)
    need_hands(run.counts.lines - run.counts.blank, paths, allow_empty=allow_empty)
    return run.exit_status
