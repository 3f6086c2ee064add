"""The page about the architecture shows the rooms as the imports have them."""

from tests.regenerate import architecture


def test_the_picture_is_up_to_date() -> None:
    assert architecture.PAGE.read_text("utf-8") == architecture.page(), "./dev regenerate"


def test_no_arrow_has_another_one_against_it() -> None:
    arrows = architecture.arrows()
    assert len(arrows) > 20
    assert not {(there, here) for here, there in arrows} & arrows
