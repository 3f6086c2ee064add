"""What an adapter of another package imports: the contract, and pieces that records are made of.

``docs/adapters.md`` says how to write one; ``tricklog convert --new`` writes a project for it.
"""

from tricklog.ingest.adapters.contract import CONTRACT as CONTRACT
from tricklog.ingest.adapters.contract import Adapter as Adapter
from tricklog.ingest.adapters.contract import GroupBy as GroupBy
from tricklog.ingest.adapters.converting import ConvertCounts as ConvertCounts
from tricklog.ingest.adapters.converting import Converted as Converted
from tricklog.ingest.adapters.converting import convert as convert
from tricklog.ingest.adapters.converting import convert_with as convert_with
from tricklog.ingest.adapters.foreign import DAMAGE_HINT as DAMAGE_HINT
from tricklog.ingest.adapters.foreign import SEATS as SEATS
from tricklog.ingest.adapters.foreign import SHAPE_HINT as SHAPE_HINT
from tricklog.ingest.adapters.foreign import BidAmount as BidAmount
from tricklog.ingest.adapters.foreign import Card as Card
from tricklog.ingest.adapters.foreign import Cards as Cards
from tricklog.ingest.adapters.foreign import CardsPerSeat as CardsPerSeat
from tricklog.ingest.adapters.foreign import ForeignError as ForeignError
from tricklog.ingest.adapters.foreign import ForeignPart as ForeignPart
from tricklog.ingest.adapters.foreign import ForeignRecord as ForeignRecord
from tricklog.ingest.adapters.foreign import Label as Label
from tricklog.ingest.adapters.foreign import PerSide as PerSide
from tricklog.ingest.adapters.foreign import SeatNumber as SeatNumber
from tricklog.ingest.adapters.foreign import Source as Source
from tricklog.ingest.adapters.foreign import SuitName as SuitName
from tricklog.ingest.adapters.foreign import check_numbers as check_numbers
from tricklog.ingest.adapters.foreign import left_over as left_over
from tricklog.ingest.adapters.foreign import read_shape as read_shape
from tricklog.ingest.adapters.foreign import with_any as with_any
from tricklog.ingest.adapters.foreign import with_cards as with_cards
from tricklog.ingest.adapters.recognising import Recognised as Recognised
from tricklog.ingest.adapters.recognising import recognise_logs as recognise_logs
from tricklog.ingest.adapters.registry import Listed as Listed
from tricklog.ingest.adapters.registry import UnknownAdapterError as UnknownAdapterError
from tricklog.ingest.adapters.registry import installed as installed
from tricklog.ingest.adapters.registry import listed as listed
from tricklog.ingest.reading.rejects import Part as Part
from tricklog.ingest.reading.rejects import Reject as Reject
from tricklog.ingest.reading.rejects import RejectCode as RejectCode
from tricklog.schemas.hand import FORMAT as FORMAT
from tricklog.schemas.hand import Claimed as Claimed
from tricklog.schemas.hand import Hand as Hand
from tricklog.schemas.hand import Player as Player
from tricklog.schemas.hand import RulesRef as RulesRef
