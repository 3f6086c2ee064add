"""Every figure Tricklog shows, each defined once in SQL, with its sentence, unit and interval.

A metric is defined over the columns of one table of facts (``tricklog.ingest.facts``): which rows
are its cases, what each adds to the numerator and to the denominator. It can be grouped and
filtered by any dimension of its table. Figures are made of valid hands, unless the filters say
otherwise.
"""

from tricklog.ingest.metrics.built_in import METRIC as METRIC
from tricklog.ingest.metrics.built_in import METRICS as METRICS
from tricklog.ingest.metrics.built_in import known_metrics as known_metrics
from tricklog.ingest.metrics.built_in import metric_named as metric_named
from tricklog.ingest.metrics.built_in import metric_problems as metric_problems
from tricklog.ingest.metrics.dimensions import DIMENSION as DIMENSION
from tricklog.ingest.metrics.dimensions import DIMENSIONS as DIMENSIONS
from tricklog.ingest.metrics.dimensions import dimension_named as dimension_named
from tricklog.ingest.metrics.dimensions import dimensions_of as dimensions_of
from tricklog.ingest.metrics.measuring import measure as measure
from tricklog.ingest.metrics.model import TOO_FEW as TOO_FEW
from tricklog.ingest.metrics.model import Better as Better
from tricklog.ingest.metrics.model import Dimension as Dimension
from tricklog.ingest.metrics.model import FigureError as FigureError
from tricklog.ingest.metrics.model import Grain as Grain
from tricklog.ingest.metrics.model import Kind as Kind
from tricklog.ingest.metrics.model import Level as Level
from tricklog.ingest.metrics.model import Metric as Metric
from tricklog.ingest.metrics.model import OwnMetricError as OwnMetricError
from tricklog.ingest.metrics.model import UnsolvedError as UnsolvedError
from tricklog.ingest.metrics.query import can_be_asked as can_be_asked
