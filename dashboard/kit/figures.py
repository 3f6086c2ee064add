"""Figures on a page: heading, chart and table, the hands behind a figure and those left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Literal

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.core import Verdict
from tricklog.core.render.sentences import hands_with_verdict
from tricklog.dashboard.address import opening, parameters, urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import addresses, charts
from tricklog.dashboard.kit.charts import IntervalChart
from tricklog.dashboard.kit.drilldown import filter_words
from tricklog.dashboard.kit.page_parts import few_words, in_twos, need, refusals_said, show_figures
from tricklog.dashboard.kit.palette import is_dark
from tricklog.dashboard.kit.tables import Cell, Column, Link, in_columns
from tricklog.dashboard.text.escaping import as_html, as_markdown
from tricklog.dashboard.text.labels import short_names, value_words
from tricklog.ingest.metrics import (
    DIMENSION,
    FigureError,
    Grain,
    Kind,
    Level,
    Metric,
    dimensions_of,
    figure_words,
    listings,
    measure,
    metric_named,
    metric_problems,
    wording,
)
from tricklog.ingest.metrics.figure_words import figure_text
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.intervals import FEWEST_GAMES, FEWEST_GAMES_OF_AMOUNTS
from tricklog.ingest.metrics.looked_at import looked_at
from tricklog.ingest.metrics.model import GRADED, SOLVED
from tricklog.ingest.metrics.query import Which
from tricklog.ingest.metrics.standings import standings
from tricklog.schemas.actions import BID_28_56
from tricklog.schemas.languages.messages import Message, mark, message, say, say_counted, say_in
from tricklog.schemas.languages.numbers import number

MEANINGS: Final = {
    Verdict.VALID: mark("played and scored by the rules"),
    Verdict.IRREGULAR: mark("something was against the rules, or the written result is wrong"),
    Verdict.DOUBTFUL: mark("a card that is not recorded could change what was legal or the score"),
    Verdict.PARTIAL: mark("the record has gaps, and all that is written is in order"),
    Verdict.INCOMPLETE: mark("the record stops before the hand is over"),
    Verdict.REJECTED: mark("from some action on the record makes no sense"),
}
PEOPLE: Final = ("player", "kind")
"""Dimensions of which the values are compared with each other where there are several variants."""
PINNED: Final = ("variant", "ruleset", "game")
"""Dimensions of which one value belongs to one variant."""
MOST_ROWS: Final = 25
MOST_CHARTS: Final = 6
_MOST_SERIES: Final = 6
_MOST_NAMED: Final = 60
_MOST_DAYS: Final = 400
_DAY_FORMS: Final = {"day": "%-d %b %Y", "week": "%-d %b %Y", "month": "%b %Y"}

_READING: Final = message(
    "Several games are taken together: of everybody it shows how far they are above or below the "
    "others in the same games, each weighted by their own cases in it. Choose one game to see "
    "the figure itself."
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A metric grouped by one dimension, or two: categories, and series by colour."""

    metric: str
    by: str
    series: str | None = None
    separate: bool = False
    """Whether each variant and table gets a chart of its own; amounts always do."""
    order: Literal["own", "value", "n"] = "own"
    """Whether rows keep the order of the dimension, or the highest value or most cases lead.

    By value, those with too few cases to say much come last.
    """
    title: str | Message | None = None
    """What stands above the chart instead of the title of the metric."""
    versions: tuple[tuple[str | Message, str], ...] = ()
    """Words and metric of each colour, where these are metrics; all are of one unit and grain."""
    itself: str | Message | None = None
    """What the numbers of the categories are, where a dashed line shows them: the bid itself."""
    panels: tuple[str, ...] = ("variant", "seating")
    """The dimensions of which each chart has one value, when there are several."""
    one_scale: bool = False
    """Whether these charts share the ends of their axis; those of shares always do."""
    only: tuple[str, str] | None = None
    """A dimension and the one value of it that counts, whatever else is chosen."""
    nothing: str | Message = ""
    """What to say where there is no case, if not that nothing matches."""
    top: int = MOST_ROWS
    """Most categories without an order of their own to show."""

    @refusals_said()
    def show(self, facts: DuckDBPyConnection, chosen: Chosen) -> None:
        """Draw the figure, one chart or one for each variant, and the table of its numbers.

        Several variants are never thrown together: people are compared within each, everything else
        has a chart for each. A click on a point leads to the hands behind it.
        """
        if self.only:
            chosen = chosen.also(*self.only)
        metric = metric_named(self.metric)
        together = self._throws_together(facts, chosen)
        if together and self.by in PEOPLE and not (self.series or self.versions):
            self._show_compared(facts, chosen)
            return
        if together and not self.separate:
            replace(self, separate=True).show(facts, chosen)
            return
        own = self._own()
        frame = self.measured(facts, chosen)
        need(frame, self.nothing)
        show_games_left_out(facts, chosen, [metric])
        show_looked_at(facts, chosen, [metric])
        if "seating" not in (*own, self.by, self.series):
            show_tables_together(facts, chosen, [metric])
        parts = frame.partition_by(own, maintain_order=True) if own else [frame]
        if len(parts) > MOST_CHARTS:
            show_most_cases(MOST_CHARTS, len(parts), charts=True)
            parts = sorted(parts, key=lambda part: -part["n"].sum())[:MOST_CHARTS]
        several = {part["variant"][0] for part in parts if "variant" in own}
        parts = [self._labelled(facts, self._cut(part)) for part in parts]
        # Shares of several games are compared by eye, so their axes have the same ends.
        one_scale = self.one_scale or (len(parts) > 1 and figure_words.is_share(metric))
        domain = charts.shared_domain(pl.concat(parts)) if one_scale else None
        # One value has one colour in charts beside each other.
        coloured = bool(self.series or self.versions)
        names = tuple(charts.series_names(pl.concat(parts))) if coloured else ()
        for place, part in zip(in_twos(len(parts)), parts, strict=True):
            with place:
                fixed = {name: str(part[name][0]) for name in own}
                title = self._title(facts, fixed, tables=len(parts) > len(several))
                self._draw(chosen, part, fixed, title, domain, names)

    def _throws_together(self, facts: DuckDBPyConnection, chosen: Chosen) -> bool:
        """Return whether one value would be made of the cases of several variants."""
        metric = metric_named(self.metric)
        if metric.kind == Kind.COUNT or metric.group == "Audit" or not metric.comparable:
            return False
        given = {self.by, self.series, *self._own()}
        return not (given & set(PINNED)) and len(variants_of(facts, chosen)) > 1

    @refusals_said()
    def _show_compared(self, facts: DuckDBPyConnection, chosen: Chosen) -> None:
        metric = metric_named(self.metric)
        wanted = chosen.filters.values(self.by)
        everybody = chosen.also(self.by)
        frame = snapshot.kept(standings, facts, metric, self.by, everybody.filters, chosen.minimum)
        if wanted:
            frame = frame.filter(pl.col(self.by).is_in(wanted))
        need(frame, self.nothing)
        if len(frame) > self.top:
            show_most_cases(self.top, len(frame))
            frame = frame.sort("n", descending=True, maintain_order=True).head(self.top)
            frame = frame.sort("place", nulls_last=True, maintain_order=True)
        words = words_for(facts, self.by, frame[self.by].to_list())
        frame = frame.with_columns(pl.col(self.by).replace(words).alias("label"))
        notes, titles = [str(_READING)], snapshot.titles()
        if left_out := frame["left_out"].explode().drop_nulls().unique().sort().to_list():
            tables = (each.partition(", ") for each in left_out)
            named = "; ".join(
                as_markdown(f"{titles.get(each, each)}, {of}") for each, _, of in tables
            )
            notes.append(
                say("Not counted, as the others have too few games of it: {tables}.", tables=named)
            )
        st.caption(" ".join(notes))
        judged = frame.filter(pl.col("difference").is_not_null())
        listed, by = (frame if judged.is_empty() else judged), wording.title(DIMENSION[self.by])
        if judged.is_empty():
            st.info(say("There are too few games to compare yet."))
        else:
            picked = IntervalChart(
                title=say("{figure}: above or below the others", figure=wording.title(metric)),
                category=by,
                measure=say("{unit}, less that of the others", unit=wording.unit(metric)),
                percent=figure_words.is_share(metric),
                interval="99 %",
                signed=True,
            ).show(
                judged.select(
                    "label",
                    "n",
                    key=self.by,
                    value="difference",
                    low="difference_low",
                    high="difference_high",
                    enough=pl.lit(value=True),
                ),
                key=f"compared-{metric.name}-{self.by}",
            )
            if picked:
                go_to_hands(chosen, metric, {self.by: picked["key"]})
        show_figures(
            [
                *(by, "n", say("{unit}, 95 % interval", unit=wording.unit(metric))),
                *(difference_head(metric), say_in("a rank", "place")),
            ],
            [
                (
                    link_to_hands(chosen, row["label"], metric, {self.by: row[self.by]}),
                    *standing_cells(metric, row),
                )
                for row in listed.to_dicts()
            ],
        )
        if few := len(frame) - len(listed):
            st.caption(few_words(few))

    def measured(self, facts: DuckDBPyConnection, chosen: Chosen) -> pl.DataFrame:
        """Return all rows of the figure. Raises ``FigureError`` when it cannot be measured."""
        by = [self.by, *([self.series] if self.series else [])]
        by = [*self._own(), *by]
        if not self.versions:
            return measured(facts, chosen, self.metric, by)
        return pl.concat(
            measured(facts, chosen, name, by).with_columns(
                series_key=pl.lit(name), series=pl.lit(str(words))
            )
            for words, name in self.versions
        )

    def _own(self) -> list[str]:
        if not (self.separate or not metric_named(self.metric).comparable):
            return []
        return [name for name in self.panels if name not in (self.by, self.series)]

    def _cut(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the rows there is room for, in order, and say which those are."""
        dimension = DIMENSION[self.by]
        found = frame[self.by].n_unique()
        if dimension.ordered:
            days = dimension.type == "DATE"
            most = _MOST_DAYS if days else _MOST_NAMED if dimension.names else found
            if found > most:
                show_latest(most, found, days=days)
                kept = frame[self.by].unique(maintain_order=True).tail(most)
                frame = frame.filter(pl.col(self.by).is_in(kept.implode()))
        elif found > self.top:
            show_most_cases(self.top, found)
            frame = self._most(frame, self.by, self.top)
        if self.series and frame[self.series].n_unique() > _MOST_SERIES:
            st.caption(
                say(
                    "The {shown} values of “{dimension}” with the most cases.",
                    shown=_MOST_SERIES,
                    dimension=wording.title(DIMENSION[self.series]),
                )
            )
            frame = self._most(frame, self.series, _MOST_SERIES)
        if self.order != "own":
            keys = ["enough", "value"] if self.order == "value" else ["n"]
            frame = frame.sort(keys, descending=True, maintain_order=True)
        return frame

    def _most(self, frame: pl.DataFrame, name: str, most: int) -> pl.DataFrame:
        cases = frame.group_by(name, maintain_order=True).agg(pl.col("n").sum())
        return frame.filter(pl.col(name).is_in(cases.top_k(most, by="n")[name].implode()))

    def _labelled(self, facts: DuckDBPyConnection, frame: pl.DataFrame) -> pl.DataFrame:
        """Add ``key``, ``label`` and, as the chart needs them, ``series``, ``mark``, ``moment``."""
        columns = {"key": ("label", self.by)}
        if self.series:
            columns["series_key"] = ("series", self.series)
        for key, (label, name) in columns.items():
            frame = frame.with_columns(pl.col(name).cast(pl.String).alias(key))
            found = words_for(facts, name, frame[key].unique().sort().to_list())
            frame = frame.with_columns(pl.col(key).replace(found).alias(label))
        if self.itself:
            named = pl.col(self.by)
            frame = frame.with_columns(pl.when(named < BID_28_56).then(named).alias("mark"))
        if DIMENSION[self.by].type == "DATE":
            frame = frame.with_columns(pl.col(self.by).alias("moment"))
        return frame

    def _title(self, facts: DuckDBPyConnection, fixed: dict[str, str], *, tables: bool) -> str:
        title = str(self.title or "") or say(
            "{metric} by {dimension}",
            metric=wording.title(metric_named(self.metric)),
            dimension=wording.title(DIMENSION[self.by]),
        )
        where = []
        if "variant" in fixed:
            labels = labels_of(facts, "variant")
            where.append(labels.get(fixed["variant"], fixed["variant"]))
        if "seating" in fixed and (tables or not where):
            where.append(value_words("seating", fixed["seating"]))
        if not where:
            return title
        title = f"{title[0].lower()}{title[1:]}"
        return say("{table}: {title}", table=", ".join(where), title=title)

    def _draw(
        self,
        chosen: Chosen,
        rows: pl.DataFrame,
        fixed: dict[str, str],
        title: str,
        domain: tuple[float, float] | None,
        names: tuple[str, ...],
    ) -> None:
        metric = metric_named(self.metric)
        dimension = DIMENSION[self.by]
        series = wording.title(DIMENSION[self.series]) if self.series else say("contracts")
        coloured = bool(self.series or self.versions)
        by, unit = wording.title(dimension), wording.unit(metric)
        counts = metric.kind == Kind.COUNT
        in_rows = dimension.names is not None or not dimension.ordered
        order: tuple[str, ...] = ()
        if self.by == "margin":
            # All whole numbers from the least to the greatest, those without a case as well.
            margins = rows["key"].cast(pl.Int64).to_list()
            order = tuple(map(str, range(min(margins), max(margins) + 1)))
        picked = IntervalChart(
            title=title,
            category=by,
            measure=unit,
            percent=figure_words.is_share(metric),
            along="y" if in_rows else "x",
            series=series if coloured else None,
            in_time=_DAY_FORMS.get(self.by),
            bars=counts,
            mark=str(self.itself) if self.itself else None,
            order=order,
            names=names,
            domain=domain,
        ).show(rows, key="-".join(["chart", self.metric, self.by, *fixed.values()]))
        if picked:
            go_to_hands(chosen, *self._behind(fixed, picked))
        columns: list[Column] = [
            (by, lambda row: link_to_hands(chosen, row["label"], *self._behind(fixed, row))),
            *([(series, "series")] if coloured else []),
            ("n", "n"),
        ]
        if not counts:
            interval = say("{unit}, 95 % interval", unit=unit)
            columns.append((interval, partial(figure_text, metric, cases=False)))
        show_figures(*in_columns(rows.iter_rows(named=True), *columns))

    def _behind(
        self, fixed: dict[str, str], row: Mapping[str, str]
    ) -> tuple[Metric, dict[str, str]]:
        """Return the metric that a point or row shows, and the values of dimensions it is of."""
        values = fixed | {self.by: row["key"]}
        if self.series:
            values[self.series] = row["series_key"]
        return metric_named(row["series_key"] if self.versions else self.metric), values


def variants_of(facts: DuckDBPyConnection, chosen: Chosen) -> list[str]:
    """Return the variants of the hands that the filters let through, the most played first."""
    frame = measured(facts, replace(chosen, filters=of_hands(chosen)), "hands", ("variant",))
    found: list[str] = frame.sort("n", descending=True)["variant"].to_list()
    return found


def of_hands(chosen: Chosen) -> Filters:
    """Return the filters without those that choose cards or findings rather than hands."""
    dimensions = dimensions_of(metric_named("hands"))
    found = chosen.filters
    for name, _ in chosen.filters.chosen:
        if DIMENSION[name] not in dimensions:
            found = found.also(name)
    return found


def words_for(facts: DuckDBPyConnection, name: str, found: Sequence[str]) -> dict[str, str]:
    """Return what people call values of a dimension."""
    if name == "source":
        return short_names(found)
    listed = DIMENSION[name].type == "VARCHAR" or DIMENSION[name].type.endswith("_key")
    labels = labels_of(facts, name) if listed else {}
    return {value: labels.get(value) or value_words(name, value) for value in found}


def show_metric_problems() -> None:
    """Say which metrics of files and packages are left out, and why."""
    for problem in metric_problems():
        st.warning(say("Left out: {problem}", problem=as_markdown(problem)))


def difference_head(metric: Metric) -> str:
    """Return what stands above a column of differences."""
    if figure_words.is_share(metric):
        return say("above or below the others, points in 100, 99 % interval")
    return say("above or below the others, {unit}, 99 % interval", unit=wording.unit(metric))


def standing_cells(metric: Metric, row: dict[str, object]) -> tuple[Cell, ...]:
    """Return n, figure, difference and place of a row of ``standings``."""
    difference = figure_words.difference_text(metric, row)
    if not row["enough"]:
        difference = figure_words.too_few(metric, row)
    figure = figure_text(metric, row, cases=False)
    return (int(str(row["n"])), figure, difference, figure_words.outlook_text(row))


def heading(name: str, title: str | Message | None = None, reading: str | Message = "") -> None:
    """Show the title of a metric, what it counts, and how to read its chart."""
    metric = metric_named(name)
    st.subheader(
        str(title or wording.title(metric)),
        help=say(
            "Counted: {numerator}. Out of (n): {denominator}.",
            numerator=wording.numerator(metric),
            denominator=wording.denominator(metric),
        ),
    )
    said = f"{wording.sentence(metric)} {reading}".strip()
    st.caption(f"{said} {definition_link(metric.name)}")


def definition_link(name: str) -> str:
    """Return Markdown that leads to a definition, or to a group of them, by its name."""
    return say("[Definition]({address})", address=addresses.of_definition(name))


def show_left_out(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Say how many hands the figures of a page are made of, and which ones they leave out."""
    counts = snapshot.kept(listings.left_out, facts, of_hands(chosen))
    others = {Verdict(each): count for each, count in counts.items() if each != Verdict.VALID}
    valid, every = counts.get(Verdict.VALID, 0), chosen.filters.every_verdict
    gaps = 0 if every else others.pop(Verdict.PARTIAL, 0)
    parts = ", ".join(str(hands_with_verdict(*each)) for each in others.items())
    if every:
        hands = say_counted("{count} hand", "{count} hands", valid + sum(others.values()))
        in_order = say("Made from {hands}, all in order.", hands=hands)
        several = say("Made from {hands}, of which {parts}.", hands=hands, parts=parts)
        told = [several if parts else in_order]
    else:
        hands = say_counted("{count} valid hand", "{count} valid hands", valid)
        told = [say("Made from {hands}.", hands=hands)]
        told += [say("Left out: {parts}.", parts=parts)] if parts else []
    if gaps:
        told.append(
            say_counted(
                "{count} record with gaps count where no cards are needed, and are left out "
                "elsewhere.",
                "{count} records with gaps count where no cards are needed, and are left out "
                "elsewhere.",
                gaps,
            )
        )
    pale = say(
        "Points are pale where there is too little to say much: n below {minimum}, or fewer than "
        "{games} games ({more} for amounts).",
        minimum=chosen.minimum,
        games=FEWEST_GAMES,
        more=FEWEST_GAMES_OF_AMOUNTS,
    )
    st.caption(" ".join(told), help=pale)


def show_chosen_on_paper(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Say in print which filters are chosen, as their boxes are not printed.

    The style sheet turns dark charts round where it finds the mark of dark pages.
    """
    words = filter_words(facts, chosen.filters)
    said = as_html(say("Only {filters}", filters=", ".join(words))) if words else ""
    if said or is_dark():
        classes = "tl-where tl-on-paper" + (" tl-dark" if is_dark() else "")
        st.html(f'<p class="{classes}">{said}</p>')


def show_games_left_out(
    facts: DuckDBPyConnection, chosen: Chosen, metrics: Sequence[Metric]
) -> None:
    """Say how many games the figures that count games leave out; nothing where none counts them."""
    if chosen.filters.values("verdict") or all(each.grain != Grain.GAME for each in metrics):
        return
    counts = snapshot.kept(listings.games_left_out, facts, chosen.filters)
    valid, irregular, incomplete = (counts[each] for each in ("valid", "irregular", "incomplete"))
    said = say("Games: {number} complete, every hand in order.", number=number(valid))
    left = [say("{number} not complete", number=number(incomplete))] if incomplete else []
    if chosen.filters.every_verdict:
        said = say("Games: {number} complete.", number=number(valid + irregular))
    elif irregular:
        odd = say("{number} with a hand that is not in order", number=number(irregular))
        left = [odd, *left]
    if left:
        said = f"{said} {say('Left out: {parts}.', parts=', '.join(left))}"
    st.caption(said)


def show_looked_at(facts: DuckDBPyConnection, chosen: Chosen, metrics: Sequence[Metric]) -> None:
    """Say how many hands figures of solved or graded hands are about; nothing where none are."""
    if all(each.grain not in (*SOLVED, *GRADED) for each in metrics):
        return
    for each in looked_at(facts, metrics, chosen.filters):
        st.caption(str(each))


def show_tables_together(
    facts: DuckDBPyConnection, chosen: Chosen, metrics: Sequence[Metric]
) -> None:
    """Say of which variants tables of different kinds are taken together, if of any.

    It matters to amounts, and to what a side has of the whole: among five it is less than in a
    partnership.
    """
    if all(each.comparable and each.level != Level.SIDE for each in metrics):
        return
    try:
        tables = measured(facts, chosen, "hands", ("variant", "seating"))
    except FigureError:
        return
    several = tables.group_by("variant", maintain_order=True).len().filter(pl.col("len") > 1)
    if several.is_empty():
        return
    titles = labels_of(facts, "variant")
    named = ", ".join(as_markdown(titles.get(each, each)) for each in several["variant"])
    st.caption(
        say(
            "Tables of different kinds are taken together in {variants}: this figure means "
            "something else where five play than where two sides do. Choose a {dimension} under "
            "More filters.",
            variants=named,
            dimension=wording.title(DIMENSION["seating"]),
        )
    )


def show_most_cases(shown: int, count: int, *, charts: bool = False) -> None:
    """Say that only the categories, or the charts, with the most cases are shown."""
    values = {"shown": shown, "number": number(count)}
    said = say("The {shown} of {number} with the most cases.", **values)
    if charts:
        said = say(
            "The {shown} of {number} with the most cases. Choose a variant above to see the "
            "others.",
            **values,
        )
    st.caption(said)


def show_latest(shown: int, count: int, *, days: bool) -> None:
    """Say that only the latest categories are shown; of days, what shows more."""
    said = say("The latest {shown} of {number}.", shown=shown, number=number(count))
    st.caption(f"{said} {say('Choose weeks or months to see more.')}" if days else said)


def hands_behind(
    chosen: Chosen,
    metric: Metric,
    values: Mapping[str, str],
    which: Which = Which.ALL,
    **more: Sequence[str],
) -> str:
    """Return the address of the hands behind a figure: its cases with these values of dimensions.

    ``more`` are further parameters of the page.
    """
    picked = {name.replace("-", "_"): value for name, value in values.items()}
    cases = {} if which == Which.ALL else {urls.WHICH: which.value}
    figure = {urls.FIGURE: metric.name, **more, **cases}
    return addresses.of_page(addresses.HANDS, chosen, figure, **picked)


def go_to_hands(
    chosen: Chosen, metric: Metric, values: Mapping[str, str], which: Which = Which.ALL
) -> None:
    """Open the list of the hands behind a figure."""
    opening.go(hands_behind(chosen, metric, values, which, **parameters.from_here()))


def link_to_hands(
    chosen: Chosen, text: str | int, metric: Metric, values: Mapping[str, str]
) -> Link:
    """Return a cell that leads to the hands behind a figure, as a click on its point does."""
    said = say("{text}: hands behind {metric}", text=text, metric=wording.title(metric))
    return Link(text, hands_behind(chosen, metric, values), said)


def measured(
    facts: DuckDBPyConnection, chosen: Chosen, name: str, by: Sequence[str] = ()
) -> pl.DataFrame:
    """Return the rows of a metric for what the viewer has chosen, to be read only.

    Raises ``FigureError`` as ``tricklog.ingest.metrics.measure`` does.
    """
    return snapshot.kept(measure, facts, name, tuple(by), chosen.filters, chosen.minimum)


def games_played(facts: DuckDBPyConnection) -> pl.DataFrame:
    """Return ``variant`` and ``n``, its hands, of every game of the facts, the most hands first."""
    counted = snapshot.kept(measure, facts, "hands", ("variant",))
    return counted.select("variant", "n").sort("n", "variant", descending=[True, False])


def show_pairs(pairs: Sequence[tuple[str, str]]) -> None:
    """Show terms with what is said of each."""
    items = "".join(f"<dt>{as_html(term)}</dt><dd>{as_html(said)}</dd>" for term, said in pairs)
    st.html(f'<dl class="tl-pairs">{items}</dl>')
