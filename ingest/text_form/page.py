"""The place that reading has reached: the settings in force, the hand that is open, the line."""

from __future__ import annotations

from tricklog.core import Ruleset
from tricklog.ingest.text_form.draft import Draft
from tricklog.ingest.text_form.problems import Problem, Severity
from tricklog.ingest.text_form.table import Table


class Page:
    """A text while it is read."""

    def __init__(self, source: str, judged_by: Ruleset | None = None) -> None:
        self.table = Table(source, judged_by)
        self.draft: Draft | None = None
        self.line = 0
        self.byte = 0
        self.cautions: list[Problem] = []
        """Warnings about settings that no hand has reported yet."""
        self.unread: dict[str, Draft] = {}
        """By setting, what stands for a faulty one that no hand has reported yet."""

    def open(self) -> Draft:
        """Return the hand that is open, a new one if none is."""
        if self.draft is None:
            self.draft = Draft(self.line, self.byte)
            self.table.is_met = True
        return self.draft

    def opened(self) -> Draft:
        """Return the hand that is open, now with content."""
        draft = self.open()
        draft.has_content = True
        return draft

    # --- Problems

    def error(self, column: int, message: str) -> None:
        """Report what cannot be read of the hand that is open."""
        self._report(column, Severity.ERROR, message)

    def warn(self, column: int, message: str, once: str = "") -> None:
        """Report what may not be meant; with ``once``, only the first time."""
        if once and once in self.table.warned:
            return
        self.table.warned.add(once)
        self._report(column, Severity.WARNING, message)

    def note(self, column: int, message: str) -> None:
        """Report what was taken to be meant."""
        self._report(column, Severity.NOTE, message)

    def _report(self, column: int, severity: Severity, message: str) -> None:
        draft = self.open()
        if not draft.is_given_up:
            draft.problems.append(Problem(self.line, column, severity, message))

    def refuse(self, setting: str, column: int, message: str) -> None:
        """Report a setting that cannot be read; no hand under it is."""
        problem = Problem(self.line, column, Severity.ERROR, message)
        found = self.table.broken.setdefault(setting, [])
        found.append(problem)
        self.unread.setdefault(setting, Draft(self.line, self.byte, problems=found))

    def caution(self, column: int, message: str) -> None:
        """Report a setting that may not be what was meant."""
        self.cautions.append(Problem(self.line, column, Severity.WARNING, message))
        # Where no hand follows, nothing else is left to tell of it.
        problem = Problem(self.line, column, Severity.ERROR, f"{message}; and no hand follows")
        alone = Draft(self.line, self.byte, problems=[problem])
        self.unread.setdefault(f"line {self.line}", alone)

    def withdraw(self, pointer: str) -> None:
        """Take back what was cautioned of a setting, which a later line has made good."""
        line, _ = self.table.places.get(pointer, (0, 0))
        self.cautions = [each for each in self.cautions if each.line != line]
        self.unread.pop(f"line {line}", None)

    def settle(self, setting: str) -> None:
        """Begin again with a setting: whatever was wrong with it before is past."""
        self.table.broken.pop(setting, None)

    def told(self) -> None:
        """Note that a hand has reported all that is wrong with settings."""
        self.cautions.clear()
        self.unread.clear()
