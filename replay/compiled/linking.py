"""How the driver is compiled: each function is lowered, and all of them are optimized together.

By itself the compiler optimizes a function together with all that it calls, makes machine code of
it, and does so again for each function above it. What only the driver calls needs neither: it is
kept as it was lowered until the driver is complete. That takes 40 % of the time.

``register_jitable(pipeline_class=Part)`` is for what compiled code calls, ``njit`` of this module
for what Python calls.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import numba
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering
from numba.np import arrayobj

COUNT_FROM_0: Final = tuple(
    f"replay.solver.{name}"
    for name in (
        *("answer", "bounds", "choices", "endings", "known", "moves"),
        *("order", "others", "placed", "ranks", "search", "setting"),
    )
)
"""The modules that make up the search. None of their functions takes an index below 0, as
``tests/engine/test_solver_indexes.py`` shows."""
_FIX: Final = arrayobj.fix_integer_index


def njit(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:  # noqa: ANN401 - numba's
    """Compile a function with everything it calls, when it is called first; ``numba.njit``."""
    compiled: Callable[..., Any] = numba.njit(function, pipeline_class=Whole, **options)
    return compiled


class _PartLibrary(JITCodeLibrary):
    """What one function was lowered to, for others to link; no machine code is made of it."""

    def _optimize_functions(self, module: Any) -> None:  # noqa: ANN401 - of LLVM
        module.data_layout = self._codegen._data_layout  # noqa: SLF001 - numba has no other way

    def finalize(self) -> None:
        """Let others link this, and what it calls, themselves."""
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True


class _WholeLibrary(JITCodeLibrary):
    """A function with all parts that it needs, however far below."""

    def finalize(self) -> None:
        """Link every part once, then optimize and make machine code."""
        found = dict.fromkeys(self._linking_libraries)
        waiting = list(found)
        while waiting:
            part = waiting.pop()
            if isinstance(part, _PartLibrary):
                needed = part._linking_libraries  # noqa: SLF001 - of our own class
                new = [each for each in needed if each not in found]
                found |= dict.fromkeys(new)
                waiting += new
        self._linking_libraries = list(found)
        self._own = {each.name for each in self._final_module.functions}
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Let the optimizer know that nobody else calls the parts, so that it fits them in."""
        for each in self._final_module.functions:
            if not each.is_declaration and each.name not in self._own:
                each.linkage = "internal"
        super()._optimize_final_module()


@contextmanager
def _indexing(*, from_the_end: bool) -> Iterator[None]:
    """Have indexes below 0 count from the end, as in Python, or trust that there are none.

    Asking each index for its sign took a twelfth of the solver's time.
    """
    before = arrayobj.fix_integer_index
    arrayobj.fix_integer_index = _FIX if from_the_end else _as_it_is
    try:
        yield
    finally:
        arrayobj.fix_integer_index = before


def _as_it_is(context: Any, builder: Any, kind: Any, index: Any, _: Any) -> Any:  # noqa: ANN401
    """Return an index as the processor takes it."""
    return context.cast(builder, index, kind, types.intp)


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerPart(NativeLowering):
    _name = "lower_part"

    def run_pass(self, state: Any) -> bool:  # noqa: ANN401 - numba's
        flags, target = state.flags, state.targetctx
        flags.no_compile = flags.no_cfunc_wrapper = flags.no_cpython_wrapper = True
        state.library = _PartLibrary(target.codegen(), state.func_id.func_qualname)
        with _indexing(from_the_end=state.func_id.modname not in COUNT_FROM_0):
            super().run_pass(state)
        # In place of the function in machine code: callers look it up by something of its own.
        name: list[object] = []
        entry_point = name.append
        target.insert_user_function(entry_point, state["cr"].fndesc, [state.library])
        state["cr"] = state["cr"]._replace(cfunc=entry_point)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerWhole(NativeLowering):
    _name = "lower_whole"

    def run_pass(self, state: Any) -> bool:  # noqa: ANN401 - numba's
        state.library = _WholeLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        super().run_pass(state)
        return True


def _pipeline(state: Any, lowering: type[NativeLowering]) -> list[Any]:  # noqa: ANN401 - numba's
    manager = DefaultPassBuilder.define_nopython_pipeline(state)
    manager.passes = [
        (lowering if each is NativeLowering else each, words) for each, words in manager.passes
    ]
    manager.finalize()
    return [manager]


class Part(CompilerBase):
    """Compiles a function that only compiled code calls."""

    def define_pipelines(self) -> list[Any]:
        """Return the passes of numba with a lowering of our own."""
        return _pipeline(self.state, _LowerPart)


class Whole(CompilerBase):
    """Compiles a function that Python calls."""

    def define_pipelines(self) -> list[Any]:
        """Return the passes of numba with a lowering of our own."""
        return _pipeline(self.state, _LowerWhole)
