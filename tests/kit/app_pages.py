"""Pages of the dashboard without a browser, for tests: opened as links do, and read."""

import html
import json
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import altair as alt
import jsonschema_rs
import pytest
from altair.vegalite.v6 import schema
from streamlit import config
from streamlit.components.v2 import manifest_scanner
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.testing.v1.element_tree import Button
from streamlit.util import calc_hash

from tricklog import dashboard
from tricklog.dashboard.address import urls
from tricklog.dashboard.address.parameters import KEY
from tricklog.dashboard.data import filters, launch

# Each new session looks through the metadata of everything installed for components of pages,
# which takes longer than most pages.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)

# Nor is each page read and compiled once more by each run.
for module in (app_test, local_script_runner):
    vars(module).update(ScriptCache=cache(ScriptCache))

# As ``dashboard/app/server.py`` has it; and else each run of a page would look for texts,
# and note each call of Streamlit, which is a third of what a page takes.
config.set_option("runner.magicEnabled", value=False)
config.set_option("browser.gatherUsageStats", value=False)

Asked = str | list[str]
_PATHS = {screen.file: screen.path for screen in urls.MENU}


def open_app(db: str | Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> AppTest:
    monkeypatch.setattr(sys, "argv", ["main.py", *options])
    monkeypatch.setenv(launch.DATABASE_SETTING, str(db))
    entry = Path(dashboard.__file__).parent / "app" / "main.py"
    return AppTest.from_file(str(entry), default_timeout=300)


def go(app: AppTest, screen: str, /, **parameters: Asked) -> AppTest:
    """Open a page as a link with these parameters does, in a new tab or from the page before."""
    if KEY in app.session_state:
        app.switch_page(screen)
    elif _PATHS[screen]:
        # The public way to another page makes the front page first.
        app._page_hash = calc_hash(_PATHS[screen])
    app.query_params.clear()
    app.query_params.update(parameters)
    app.run()
    assert not app.exception, app.exception
    return app


def address_of(app: AppTest) -> dict[str, str]:
    """What the address of the page says when it is done; of several values of a name the last."""
    return {name: texts[-1] for name, texts in app.session_state[KEY].query.items()}


def tables_in(app: AppTest) -> list[Any]:
    """The card tables on the page, none or one; what changes the address is a component as well."""
    mounted: list[Any] = [*app.get("bidi_component")]
    return [each for each in mounted if each.proto.component_name == "tricklog.card_table"]


def table_shown(app: AppTest) -> dict[str, Any]:
    (mounted,) = tables_in(app)
    data: dict[str, Any] = json.loads(mounted.proto.json)
    return data


def tell(app: AppTest, event: str, value: object) -> AppTest:
    """Have the component of the page tell Python something, as its script does."""
    (mounted,) = tables_in(app)
    states = app._tree.get_widget_states()
    told = states.widgets.add()
    told.id = _make_trigger_id(mounted.proto.id, "events")
    told.json_trigger_value = json.dumps([{"event": event, "value": value}])
    app._run(states)
    assert not app.exception, app.exception
    return app


def open_more(app: AppTest) -> AppTest:
    """Open the filters behind the button, as a click does."""
    app.session_state[filters.OPENED] = True
    return app.run()


def button(app: AppTest, label: str) -> Button:
    """The button that is called so, or else the first one whose name has these words."""
    named = [(unmarked(each.label), each) for each in app.button]
    called_so = (each for name, each in named if name == label)
    return next(called_so, None) or next(each for name, each in named if label in name)


def press(app: AppTest, label: str) -> AppTest:
    """Click the button that ``button`` finds."""
    button(app, label).click().run()
    assert not app.exception, app.exception
    return app


def type_into(app: AppTest, texts: dict[str, str], label: str = "") -> AppTest:
    """Type into boxes, by their ids, what they do not offer, and click a button, if any."""
    states = app._tree.get_widget_states()
    clicked = [button(app, label).id] if label else []
    kept = [each for each in states.widgets if each.id not in {*texts, *clicked}]
    states = type(states)(widgets=kept)
    for box, text in texts.items():
        states.widgets.add(id=box, string_value=text)
    for each in clicked:
        states.widgets.add(id=each, trigger_value=True)
    app._run(states)
    assert not app.exception, app.exception
    return app


def unmarked(markdown: str) -> str:
    """A text of a page without the signs that keep Markdown off."""
    return markdown.replace("\\", "").replace("\N{WORD JOINER}", "")


def text_of(app: AppTest) -> str:
    """All HTML, markdown, captions, labels of links and cells of tables on a page."""
    shown = [each.proto.body for each in app.get("html")]
    shown += [each.value for each in (*app.markdown, *app.caption, *app.header, *app.title)]
    shown += [each.value for each in (*app.subheader, *app.info, *app.error, *app.success)]
    shown += [each.value for each in (*app.warning, *app.code)]
    shown += [each.proto.label for each in app.get("page_link")]
    shown += [str(row) for frame in app.dataframe for row in frame.value.to_dict("records")]
    return "\n".join(shown)


def warnings_of(app: AppTest) -> str:
    """What a page warns of, without the signs that keep Markdown off."""
    return unmarked("\n".join(each.value for each in app.warning))


def table_of(app: AppTest, name: str) -> list[dict[str, str]]:
    """The rows of the first table that is called ``name`` aloud, as people read them."""
    tables = (each.proto.body for each in app.get("html"))
    found = next((each for each in tables if f'aria-label="{name}"' in each), "")
    heads = _cells(found.partition("</thead>")[0], "th")
    rows = (_cells(row, "td") for row in re.findall(r"<tr>(.*?)</tr>", found, re.DOTALL))
    return [dict(zip(heads, row, strict=True)) for row in rows if row]


def values_of(app: AppTest) -> dict[str, str]:
    """The values that stand in lines on a page, by what each is."""
    bodies = "".join(each.proto.body for each in app.get("html"))
    found = re.findall(r"<span>([^<]*) <b>([^<]*)</b></span>", bodies)
    return {html.unescape(name): html.unescape(value) for name, value in found}


def _cells(text: str, tag: str) -> list[str]:
    cells = re.findall(rf"<{tag}\b[^>]*>(.*?)</{tag}>", text, re.DOTALL)
    return [html.unescape(re.sub(r"<[^>]*>", "", each)) for each in cells]


def addresses_in(app: AppTest) -> list[str]:
    bodies = "".join(each.proto.body for each in app.get("html"))
    return [html.unescape(each) for each in re.findall(r'<a href="([^"]*)"', bodies)]


def queries_in(app: AppTest, screen: str = "") -> list[dict[str, list[str]]]:
    """The parameters of all links in tables and texts, or of those to one page."""
    found = (urlsplit(each) for each in addresses_in(app))
    return [parse_qs(each.query) for each in found if screen in ("", each.path)]


def lead_of(app: AppTest) -> str:
    """The sentence that answers, as HTML; empty without one."""
    bodies = (str(each.proto.body) for each in app.get("html"))
    return next((each for each in bodies if 'class="tl-lead' in each), "")


def number(text: str) -> float:
    """A number as it stands on a page, without the interval or the percent sign after it."""
    return float(text.split(maxsplit=1)[0].replace("−", "-").replace(",", ""))


def total(rows: Iterable[dict[str, str]], column: str) -> int:
    """The sum of a column of whole numbers."""
    return sum(int(number(row[column])) for row in rows)


@cache
def _grammar() -> jsonschema_rs.Validator:
    """Return what knows whether a chart is valid, by the schema that Altair brings.

    Altair itself takes half a second for a chart, as it looks at each part by itself.
    """
    written = Path(schema.__file__).with_name("vega-lite-schema.json").read_text("utf-8")
    return jsonschema_rs.validator_for(json.loads(written, object_hook=_with_an_address))


def _with_an_address(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a schema with its reference written as addresses have to be."""
    return part | {"$ref": quote(part["$ref"], safe="#/")} if "$ref" in part else part


def check_charts(app: AppTest) -> None:
    """Check every chart on a page, of which there must be one: Altair made it, and it is valid."""
    assert app.get("vega_lite_chart")
    assert [*faults_of_charts(app)] == []


def faults_of_charts(app: AppTest) -> Iterator[str]:
    for chart in app.get("vega_lite_chart"):
        yield from faults_of_chart(json.loads(chart.proto.spec))


def faults_of_chart(spec: dict[str, Any]) -> Iterator[str]:
    if spec["$schema"] != alt.SCHEMA_URL:
        yield f"a chart of another schema: {spec['$schema']}"
    # Streamlit gives each chart its data and its size.
    for error in _grammar().iter_errors(spec | {"data": {"values": []}}):
        yield f"a chart that is not valid: {error.message}"
