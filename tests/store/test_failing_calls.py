"""Every kind of call may fail once: a sentence, exit status 3, the old state, and work goes on.

Here one call is chosen for each place in the program that makes it; ``python -m tests.long_faults``
lets all of them fail, each in both ways.
"""

import pytest

from tests.kit.faults import SCENES, Bench, Scene


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("faults"))


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_call_that_fails_is_told(bench: Bench, scene: Scene) -> None:
    calls = bench.calls_of(scene)
    first = {call: number for number, call in reversed(list(enumerate(calls)))}
    assert len(first) > 5
    bench.failures.clear()
    for number in first.values():
        bench.fail(scene, number, out_of_memory=number % 3 == 2)
    assert not bench.failures, "\n".join(bench.failures)
