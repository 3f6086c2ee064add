"""The compiled solver, loaded while the server starts."""

from unittest.mock import patch

import pytest

from dashboard import warming
from replay.study import study_hand


def test_a_hand_of_the_samples_is_studied() -> None:
    with patch.object(warming, "study_hand", wraps=study_hand) as studied:
        warming.begin().join(60)
    ((replayed, solver), _) = studied.call_args
    assert solver.rules == replayed.rules


def test_nothing_is_compiled_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "solver_is_ready", lambda: False)
    with patch.object(warming, "study_hand") as studied:
        assert not warming.load_solver()
    studied.assert_not_called()


def test_without_samples_the_server_starts_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:

    def missing() -> None:
        raise FileNotFoundError

    monkeypatch.setattr(warming, "samples_folder", missing)
    assert not warming.load_solver()
