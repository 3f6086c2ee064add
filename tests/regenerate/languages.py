"""The files of translations, brought up to date with what the code says.

Sentences come from the calls of ``tricklog.schemas.languages.messages``, and from data that people
are shown. What the code no longer says goes; a sentence that changed keeps its old translation,
marked fuzzy and not shown, until somebody has looked at it.

``./dev untranslated [LANGUAGE...]`` lists what has no translation, which fails nothing.
"""

import ast
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from importlib import import_module
from io import BytesIO
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry
from babel.messages.pofile import read_po, write_po

from tricklog.core import Verdict, load_variant, variants
from tricklog.core.engine.faults import Fault
from tricklog.core.judging.findings import SPECIAL, finding_codes, finding_said
from tricklog.core.render.sentences import RULE_TITLE
from tricklog.core.rulesets.policy_table import POLICIES, Choice
from tricklog.core.rulesets.rules_text import RULE, words_of
from tricklog.core.study.open_cards import LOSS_KINDS
from tricklog.dashboard.card_table.spoken import TABLE, texts
from tricklog.dashboard.data.solving import NO_LIBRARY
from tricklog.dashboard.pages.record import SCRIPTS
from tricklog.dashboard.pages.replay.study import NO_CHOICE
from tricklog.dashboard.sections.work_panel import STAGE
from tricklog.ingest.metrics import DIMENSIONS, METRICS, wording
from tricklog.ingest.metrics.field import QUESTIONS
from tricklog.ingest.metrics.leaks import LEAKS
from tricklog.ingest.metrics.page import PRINCIPLES
from tricklog.ingest.metrics.themes import TITLES
from tricklog.ingest.metrics.versus import FIGURES, HIGHER, OWN
from tricklog.ingest.reading.progress import Stage
from tricklog.ingest.reports.player import LOSS
from tricklog.ingest.study.season import ALONE, LINES, SUMMARY
from tricklog.ingest.study.season_words import PART, WHY_NOT
from tricklog.schemas.citations import citations
from tricklog.schemas.languages.catalogs import catalog_file
from tricklog.schemas.languages.current import ENGLISH, LANGUAGES

ROOT: Final = Path(__file__).parents[2]
_FOLDER: Final = "replay/study"
_PACKAGE: Final = "tricklog.core.study"
_KEPT_IN: Final = frozenset(
    {"NO_PLAY", "NO_SCORE", "NOT_NAMED", "SENTENCES", "no_points", "given_up"}
)
"""What holds such sentences besides calls of ``Refused``."""


def refusals() -> Iterator[tuple[str, str]]:
    """Yield each sentence with the file that says it; those with a verdict, for each verdict."""
    for file in sorted((ROOT / _FOLDER).glob("*.py")):
        place = str(file.relative_to(ROOT))
        names = vars(import_module(f"{_PACKAGE}.{file.stem}"))
        for node in _said_in(ast.parse(file.read_text("utf-8"))):
            for text in dict.fromkeys(_texts(node, names)):
                yield text, place
    for verdict in Verdict:
        yield f"the record is {verdict}", "ingest/study/season.py"
    yield ALONE, "ingest/study/season.py"
    yield NO_LIBRARY, "dashboard/data/solving.py"
    yield NO_CHOICE, "dashboard/pages/replay/study.py"


def _said_in(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refused":
            yield from node.args
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(getattr(each, "id", "") in _KEPT_IN for each in targets):
                yield from node.value.values if isinstance(node.value, ast.Dict) else [node.value]
        if isinstance(node, ast.FunctionDef) and "refusal" in node.name:
            for each in ast.walk(node):
                if isinstance(each, ast.Return) and each.value is not None:
                    yield each.value


def _texts(node: ast.expr, names: dict[str, Any]) -> Iterator[str]:
    """Yield the texts that an expression may be; one that is no text itself is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        expression = compile(ast.Expression(node), "<refusal>", "eval")
        for verdict in Verdict:
            if verdict != Verdict.VALID:
                of_hand = {"replay": SimpleNamespace(verdict=verdict), "verdict": verdict}
                yield eval(expression, names | of_hand)  # noqa: S307 - our own code


PACKAGES: Final = ("schemas", "replay", "ingest", "dashboard")
TRANSLATED: Final = tuple(code for code in LANGUAGES if code != ENGLISH)
KEYWORDS: Final = {
    "mark": ("one",),
    "message": ("one",),
    "say": ("one",),
    "message_in": ("context", "one"),
    "say_in": ("context", "one"),
    "mark_counted": ("one", "many"),
    "message_counted": ("one", "many"),
    "say_counted": ("one", "many"),
}
"""What the first arguments of a function are: the text, that for many, the context."""
_MODULE: Final = "tricklog.schemas.languages.messages"
_HEADER: Final = """\
# Translations of Tricklog: docs/languages.md says how to work on them.
msgid ""
msgstr ""
"Project-Id-Version: Tricklog\\n"
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"

"""


class Found(NamedTuple):
    """A message that the code or its data has."""

    text: str
    many: str
    context: str
    place: str
    """The file, from the top of the checkout."""


def found_in_code() -> Iterator[Found]:
    """Yield the messages of the code, file by file."""
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            source, place = file.read_bytes(), str(file.relative_to(ROOT))
            # Elsewhere functions of the same names do something else.
            if f"from {_MODULE} import".encode() in source:
                yield from _found_in(source, place)


def _found_in(source: bytes, place: str) -> Iterator[Found]:
    for call, said in calls_in(source, KEYWORDS):
        texts = [part.value for part in call if isinstance(part, ast.Constant)]
        if len(texts) == len(said) and all(texts):
            found = dict(zip(said, map(str, texts), strict=True))
            yield Found(found["one"], found.get("many", ""), found.get("context", ""), place)


def calls_in(
    source: bytes | str, keywords: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[list[ast.expr], tuple[str, ...]]]:
    """Yield the arguments of each call of some functions that make up a message, and what each is.

    They come in the order of the text.
    """
    calls = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in keywords
    ]
    for node in sorted(calls, key=lambda each: (each.lineno, each.col_offset)):
        assert isinstance(node.func, ast.Name)
        parts = keywords[node.func.id]
        wanted = [place for place, part in enumerate(parts) if part]
        yield [node.args[place] for place in wanted], tuple(parts[place] for place in wanted)


def _each(place: str, context: str, *texts: str) -> Iterator[Found]:
    return (Found(text, "", context, place) for text in texts)


def figures() -> Iterator[Found]:
    """Yield the texts of metrics, leaks and dimensions, and the kinds of losses."""
    place = "ingest/metrics"
    metrics = (*METRICS, *OWN)
    groups = dict.fromkeys([*(each.group for each in metrics), *(each.group for each in FIGURES)])
    titles = [*(each.title for each in metrics), *(each.title for each in LEAKS), *TITLES]
    more = (each.title for each in FIGURES if each.title)
    yield from _each(place, wording.FIGURE, *groups, *titles, *more)
    for each in metrics:
        yield from _each(place, wording.UNIT, each.unit)
        yield from _each(place, wording.DEFINED, each.sentence, each.numerator, each.denominator)
    for dimension in DIMENSIONS:
        yield from _each(place, wording.DIMENSION, dimension.title)
        yield from _each(place, wording.DEFINED, dimension.sentence)
    for leak in LEAKS:
        yield from _each(place, wording.DEFINED, leak.sentence, leak.share_of)
    yield from _each(place, HIGHER, *(each.higher for each in FIGURES))
    yield from _each("replay/study/open_cards.py", LOSS, *LOSS_KINDS)
    parts = ((each.title, each.unit, each.cases) for each in QUESTIONS)
    asked = (*parts, *(each.above + each.below + each.alike for each in QUESTIONS))
    yield from _each(place, "", *(said.text for said in chain(*PRINCIPLES, *asked)))


def scripts() -> Iterator[Found]:
    for parts, place in ((TABLE, "card_table"), (SCRIPTS[-1:], "pages/record/recorder.js")):
        for text, many, context in texts(parts):
            yield Found(text, many, context, f"dashboard/{place}")


def why_not() -> Iterator[Found]:
    """Yield why something has no value, no score or no ledger."""
    for text, place in refusals():
        yield Found(text, "", WHY_NOT, place)


def ledgers() -> Iterator[Found]:
    """Yield the parts of ledgers of many hands, and what a run is doing that works them out."""
    lines = chain(*LINES.values(), *SUMMARY.values())
    yield from _each("ingest/study/season.py", PART, *(name for name, _, _ in lines))
    yield from _each("ingest/reading/progress.py", STAGE, *Stage)


def findings() -> Iterator[Found]:
    """Yield the sentences and names of findings, and the titles of the rules that they may cite."""
    sentences = (each.sentence for each in Fault if each.sentence)
    yield from _each("replay/engine/faults.py", "", *sentences)
    place = "replay/judging/findings.py"
    yield from _each(place, "", *(sentence for *_, sentence in SPECIAL))
    for name in map(finding_said, finding_codes()):
        yield Found(name.text, "", name.context, place)
    for citation in citations().values():
        yield Found(citation.title, "", RULE_TITLE, f"docs/rules/{citation.file}")


def rules() -> Iterator[Found]:
    """Yield what rules in words are made of: questions, answers, house rules, summaries."""
    for policy in POLICIES.values():
        yield from _each("replay/rulesets/policy_table.py", RULE, policy.question)
        if isinstance(policy, Choice):
            yield from _each("replay/engine/policies.py", RULE, *map(words_of, policy.values))
    for ruleset in map(load_variant, variants()):
        texts = (ruleset.summary, *(rule.words for rule in ruleset.house_rules))
        yield from _each("replay/rulesets/variants", RULE, *texts)


DATA: Final[tuple[Callable[[], Iterator[Found]], ...]] = (
    *(figures, findings, rules, scripts, why_not, ledgers),
)
"""What else is shown in the language of the reader."""


class Template(Catalog):
    """The messages that there are to translate.

    A file that is brought up to date keeps the messages that are new to it, so each gets its own.
    """

    def __iter__(self) -> Iterator[Entry]:
        """Yield a copy of each message."""
        return map(deepcopy, super().__iter__())


def template() -> Catalog:
    """Return every message that there is to translate, in the order of files and lines."""
    catalog = Template(charset="utf-8")
    for each in [*found_in_code(), *(found for source in DATA for found in source())]:
        text = (each.text, each.many) if each.many else each.text
        catalog.add(text, locations=[(each.place, 0)], context=each.context or None)
    return catalog


def stored(language: str) -> Catalog:
    """Return the file of a language as it is; an empty catalog where there is none."""
    file = catalog_file(language)
    if not file.exists():
        return Catalog(locale=language, charset="utf-8")
    with file.open("rb") as source:
        return read_po(source, locale=language, charset="utf-8", abort_invalid=True)


def brought_up_to_date(language: str, wanted: Catalog) -> str:
    """Return the file of a language as it has to be."""
    catalog = stored(language)
    catalog.update(wanted, update_header_comment=False)
    text = BytesIO()
    write_po(text, catalog, omit_header=True, ignore_obsolete=True, include_lineno=False, width=100)
    header = _HEADER.format(language=language, plurals=catalog.plural_forms)
    return header + text.getvalue().decode("utf-8").strip() + "\n"


def entries(catalog: Catalog) -> list[Entry]:
    return [each for each in catalog if each.id]


def untranslated(language: str, wanted: Catalog) -> list[Entry]:
    """Return the messages that are shown in English in a language, those marked fuzzy as well."""
    known = {(each.id, each.context): each for each in entries(stored(language))}
    lacking = []
    for each in entries(wanted):
        found = known.get((each.id, each.context))
        texts = (found.string if found.pluralizable else [found.string]) if found else []
        if found is None or found.fuzzy or not texts or not all(texts):
            lacking.append(each)
    return lacking


def texts_of(entry: Entry) -> Sequence[str]:
    """Return the text of a message in English, with that for many where it has one."""
    return [entry.id] if isinstance(entry.id, str) else entry.id


def said_by(entry: Entry) -> re.Pattern[str]:
    """Return what a message reads like in English, whatever its values."""
    patterns = [re.sub(r"\\\{[^}]*\\\}", ".+?", re.escape(each)) for each in texts_of(entry)]
    return re.compile("|".join(patterns), re.DOTALL)


def write_untranslated(languages: Sequence[str]) -> int:
    """Print what is shown in English in each language, with its files; return the exit status."""
    if unknown := [each for each in languages if each not in TRANSLATED]:
        sys.stderr.write(f"There is no {unknown[0]}; there are {', '.join(TRANSLATED)}.\n")
        return 2
    wanted = template()
    for language in languages or TRANSLATED:
        lacking = untranslated(language, wanted)
        count = len(entries(wanted))
        sys.stdout.write(f"{language}: {len(lacking)} of {count} sentences are shown in English\n")
        for each in lacking:
            text = texts_of(each)[0]
            files = ", ".join(dict.fromkeys(place for place, _ in each.locations))
            sys.stdout.write(f"  {' '.join(text.split())}\n    {files}\n")
    return 0


def write() -> None:
    wanted = template()
    for language in TRANSLATED:
        text = brought_up_to_date(language, wanted)
        catalog_file(language).write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(write_untranslated(sys.argv[1:]))
