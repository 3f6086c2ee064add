"""The study of a recorded hand: what it was worth, what each decision cost, and what came of it.

"With all cards open" means that everybody sees all hands and plays as well as can be for the own
side. It measures cards, not judgement: nobody at the table could see what it sees.
"""

from tricklog.core.study.open_cards import Choice as Choice
from tricklog.core.study.open_cards import Decision as Decision
from tricklog.core.study.open_cards import LossKind as LossKind
from tricklog.core.study.open_cards import OpenHand as OpenHand
from tricklog.core.study.open_cards import Solver as Solver
from tricklog.core.study.open_cards import Value as Value
from tricklog.core.study.open_cards import costs_among as costs_among
from tricklog.core.study.open_cards import first_card as first_card
from tricklog.core.study.open_cards import open_hand as open_hand
from tricklog.core.study.open_cards import start_of_play as start_of_play
from tricklog.core.study.open_cards import state_in_play as state_in_play
from tricklog.core.study.refusals import OpenScore as OpenScore
from tricklog.core.study.refusals import Refused as Refused
from tricklog.core.study.refusals import refusal as refusal
from tricklog.core.study.refusals import refusal_of_state as refusal_of_state
