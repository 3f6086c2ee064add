"""``tricklog ask``: what is legal, who wins and what it scores, of a trick without its hand."""

from __future__ import annotations

import re
from typing import Final

from rich.text import Text

from tricklog.core import position as positions
from tricklog.core.position import PositionError
from tricklog.core.render.terminal import finding_text
from tricklog.ingest.cli.arguments import Flag, Several
from tricklog.ingest.cli.output import UserError, print_json, put, status_of
from tricklog.schemas.citations import titles_of

Answer = positions.LegalPlays | positions.PlayRuling | positions.TrickWinner | positions.TrickPoints
_PLAY: Final = re.compile(r"\btrick\[(\d+)\]")
_HAND: Final = re.compile(r"\bhands\[(['\"])(?P<name>.*?)\1\]")

EXAMPLES = """\
  tricklog ask --variant pedro --trump H --hand "bo: 8S 4H KD" --trick "ann 9S"
  tricklog ask --variant pedro --trump H --hand "bo: 8S 4H KD" --trick "ann 9S" --play "bo KD"
  tricklog ask --variant pidro --trump S --trick "ann 2S, bo AS, cy 5C, dee 5S"
  tricklog ask --variant twenty-nine --trump ? --hidden --maker d --hand "b: 8S" --trick "a 9H\""""


def ask(  # noqa: PLR0913 - each is a part of the question
    *,
    variant: str,
    trump: str | None = None,
    hand: Several = (),
    trick: str = "",
    play: str | None = None,
    players: str = "",
    maker: str | None = None,
    number: int | None = None,
    last: Flag = False,
    hidden: Flag = False,
    json: Flag = False,
) -> int:
    """Ask about a trick, without a whole hand.

    Say what is known: what is trumps, what somebody holds, what lies on the table. The answer says
    what the next player may play, who wins the trick and what it scores, each with its rule, and
    whether a card that was not named could change it. With --play it says whether that play is
    legal. The exit status is 1 when it is not, or when a card on the table was not.

    Args:
        variant: The kind of game, or a TOML file with rules of your own.
        trump: S, H, D, C, NT and what else the game has; ? for a hidden trump.
        hand: What a player holds now, such as "bo: 8S 4H"; may be given several times.
        trick: The cards on the table in the order played, such as "ann 9S, bo 4H".
        play: A play to be judged, such as "bo 4H".
        players: Who sits at the table, clockwise, with commas; else in the order of the trick.
        maker: Who won the auction; needed where the trump is hidden.
        number: Which trick of the hand it is; else one in the middle.
        last: It is the last trick of the hand.
        hidden: The trump is still hidden.
        json: One JSON object.
    """
    try:
        asked = positions.position(
            variant,
            trump=trump,
            hands=dict(map(_named_hand, hand)),
            trick=trick,
            players=[name.strip() for name in players.split(",") if name.strip()],
            maker=maker,
            number=number,
            last=last,
            hidden=hidden,
        )
        ruling = None if play is None else asked.judge(play)
        after = asked.play(play) if play is not None and ruling and ruling.is_legal else asked
        legal = None if after.turn is None else after.legal()
        winner, points = (after.winner(), after.points()) if after.played else (None, None)
    except PositionError as error:
        hint = "tricklog ask --help shows how a question is written."
        if error.message.startswith("there is no player") and not players:
            hint = 'Say who sits at the table, clockwise: --players "ann, bo, cy, dee".'
        raise UserError(_in_options(error), hint) from error
    except OSError as error:
        raise UserError(f"{variant} cannot be read: {error.strerror}") from error
    if json:
        print_json(
            {
                "variant": asked.ruleset.id,
                "ruleset": asked.ruleset.hash,
                "players": asked.names,
                "findings": asked.findings,
                "judged": ruling,
                "legal": legal,
                "winner": winner,
                "points": points,
            }
        )
    else:
        # Of others nothing is known of what they hold.
        legal = legal if legal and legal.player in asked.hands else None
        told: list[Answer] = [each for each in (ruling, legal, winner, points) if each]
        if not told:
            raise UserError(
                "there is nothing to answer: no card lies on the table, and what the player who "
                "leads holds is not said",
                'Add --trick "ann 9S", or --hand "ann: 9S 4H".',
            )
        put(*map(finding_text, asked.findings), *map(_answer_text, told))
    return status_of(asked.findings or (ruling and not ruling.is_legal))


def _named_hand(text: str) -> tuple[str, str]:
    name, colon, cards = text.partition(":")
    if not colon or not name.strip():
        raise UserError(f'--hand "{text}" does not say whose it is', 'Write --hand "bo: 8S 4H".')
    return name.strip(), cards


def _in_options(error: PositionError) -> str:
    """Return what is wrong, with the option that it stands in, and in words of the options."""
    name = error.where.partition("[")[0]
    option = {"hands": "--hand", "rules": "--variant", "player": "--hand"}.get(name, f"--{name}")
    message = _PLAY.sub(lambda found: f"play {int(found[1]) + 1} of --trick", error.message)
    return f"{option}: {_HAND.sub(lambda found: '--hand of ' + found['name'], message)}"


def _answer_text(answer: Answer) -> Text:
    text = Text("" if getattr(answer, "is_legal", True) else "✗ ", "bold red")
    text.append(answer.sentence, "not bold default")
    if not answer.sure and getattr(answer, "is_complete", True):
        text.append(" (as far as these cards tell)", "dim")
    titles = (f"{name} {title}".strip() for name, title in titles_of(answer.rule))
    return text.append(f"\n  Rule {', '.join(titles)}", "dim")
