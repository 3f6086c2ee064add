"""The language of a session, and the frame of every page in it."""

import pytest

from schemas.languages import current as languages_of_contexts
from schemas.languages.current import current, in_language, set_source


def test_a_source_gives_the_language_where_none_was_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(languages_of_contexts, "_source", languages_of_contexts._english)
    set_source(lambda: "fi")
    assert current() == "fi"
    with in_language("sv"):
        assert current() == "sv"
    assert current() == "fi"
