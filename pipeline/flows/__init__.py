"""One file per family of modes. Importing this package fills the MODES table, in the order of these
lines: the default mode comes first, because clients preselect the first model of a list."""

from pipeline.flows import reviewed  # isort: skip
from pipeline.flows import single  # isort: skip
from pipeline.flows import tested  # isort: skip
from pipeline.flows import files  # isort: skip
from pipeline.flows import planned  # isort: skip
from pipeline.flows import refined  # isort: skip
from pipeline.flows import answered  # isort: skip

__all__ = ["answered", "files", "planned", "refined", "reviewed", "single", "tested"]
