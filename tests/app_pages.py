"""Pages of the dashboard without a browser, for tests: opened as links do, and read."""

import sys
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import filters, launch


def open_app(db: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The dashboard of a warehouse."""
    monkeypatch.setattr(sys, "argv", ["app.py"])
    monkeypatch.setenv(launch.DATABASE_SETTING, str(db))
    entry = Path(launch.__file__).with_name("app.py")
    return AppTest.from_file(str(entry), default_timeout=60)


def go(app: AppTest, screen: str, /, **parameters: str | list[str]) -> AppTest:
    """Open a page as a link with these parameters does."""
    if "arrived-at" not in app.session_state:
        # Which pages there are is known from the first run on.
        app.run()
    app.switch_page(screen)
    app.query_params.clear()
    app.query_params.update(parameters)
    app.run()
    assert not app.exception, app.exception
    return app


def open_more(app: AppTest) -> AppTest:
    """Open the filters behind the button, as a click does."""
    app.session_state[filters.OPENED] = True
    return app.run()


def text_of(app: AppTest) -> str:
    """All HTML, markdown, captions, labels of links and cells of tables on a page."""
    shown = [each.proto.body for each in app.get("html")]
    shown += [each.value for each in (*app.markdown, *app.caption, *app.header, *app.title)]
    shown += [each.value for each in (*app.subheader, *app.info, *app.error, *app.success)]
    shown += [each.value for each in (*app.warning, *app.code)]
    shown += [each.proto.label for each in app.get("page_link")]
    shown += [str(row) for frame in app.dataframe for row in frame.value.to_dict("records")]
    return "\n".join(shown)
