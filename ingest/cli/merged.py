"""What commands say of merged players."""

from __future__ import annotations

from ingest.cli.output import err


def tell_met(db: str) -> None:
    """Say which players are not counted as one any more, as a load brought both at one table."""
    from ingest.store.aliases import aliases, hand_with
    from ingest.store.userdata import UserDataError
    from ingest.warehouses import open_snapshot, warehouse_at

    try:
        known = aliases(warehouse_at(db).user_folder())
    except UserDataError as error:
        err().print(str(error), soft_wrap=True)
        return
    if not known:
        return
    with open_snapshot(db) as tables:
        for player, whom in known:
            others = {whom, *(each for each, same in known if same == whom and each != player)}
            if hand := hand_with(tables, {player}, others):
                err().print(
                    f"{player} and {whom} are not counted as one player any more, as both sat at "
                    f"the table of hand {hand}. tricklog alias remove {player} takes the alias "
                    "away.",
                    soft_wrap=True,
                )
