"""What pages say where an address asks for it, and for what is odd, empty, unknown or not there."""

import re
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.dashboard.conftest import Visit
from tests.kit.app_pages import text_of, unmarked, warnings_of
from tests.kit.rule_cases import rows_in
from tricklog.dashboard.address import urls

BOXES = ("info", "warning", "error", "subheader", "code")
CASES = rows_in(Path(__file__).with_suffix(".txt"))


@pytest.mark.usefixtures("quick_ledgers")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_a_page_says(request: pytest.FixtureRequest, visit: Visit, case: list[str]) -> None:
    address, *words = case
    db, _, link = address.partition(" ")
    path, _, query = link.partition("?")
    warehouse = request.getfixturevalue(f"{db}_warehouse" if db in ("small", "club") else db)
    asked = parse_qs(query, keep_blank_values=True)
    app = visit(warehouse, urls.PAGES[path].file, **asked)
    kinds = {said.partition(": ")[0] for said in words}
    assert kinds & {"warning", "unknown"} or not app.warning
    assert "error" in kinds or not app.error
    assert len(text_of(app)) > len(warnings_of(app))
    for said in words:
        kind, _, inside = said.partition(": ")
        if kind == "not":
            assert inside not in unmarked(text_of(app))
        elif kind == "unknown":
            asks, _, meant = inside.partition(" -> ")
            name, _, value = asks.partition(" ")
            hint = f" (did you mean “{meant}”?)" if meant else ""
            told = f"The address asks for {name} “{value}”, which this page does not know{hint}."
            assert told in warnings_of(app)
        elif kind in BOXES:
            (box,) = getattr(app, kind)
            assert re.fullmatch(re.escape(inside).replace("…", ".*"), box.value, re.DOTALL)
        else:
            assert said in unmarked(text_of(app))
