"""Forgetting a player: their hands stay, under an id that names nobody."""

from tricklog.ingest.forgetting.runs import ForgetReport, forget

__all__ = ["ForgetReport", "forget"]
