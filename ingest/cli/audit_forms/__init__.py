"""What an audit found, in the forms that build servers, editors and other tools read.

Each form is a ``Report``: it is handed every line of the audit in turn, writes what it can at once,
and the rest at the end. What there is to say is the same in all of them (``reports.notes``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Literal, Protocol

if TYPE_CHECKING:
    from tricklog.ingest.loading.auditing import Audit, AuditedLine

ReportFormat = Literal["github", "sarif", "junit", "line"]
REPORT_FORMATS: Final[tuple[ReportFormat, ...]] = ("github", "sarif", "junit", "line")
Write = Callable[[str], object]
"""Takes the next piece of the report."""


class Report(Protocol):
    """A form in which an audit is reported."""

    def add(self, item: AuditedLine) -> None:
        """Report one line."""

    def end(self, run: Audit) -> None:
        """Write what is left when all lines have been reported."""


def report_as(name: ReportFormat, write: Write, docs_url: str = "") -> Report:
    """Return a report of this form; ``docs_url`` is where the pages of the rules are published."""
    if name == "sarif":
        from tricklog.ingest.cli.audit_forms.sarif import SarifReport

        return SarifReport(write, docs_url)
    if name == "junit":
        from tricklog.ingest.cli.audit_forms.junit import JunitReport

        return JunitReport(write)
    if name == "github":
        from tricklog.ingest.cli.audit_forms.github import GithubReport

        return GithubReport(write)
    from tricklog.ingest.cli.audit_forms.lines import LineReport

    return LineReport(write)
