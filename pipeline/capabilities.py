"""The packages that add modes. Importing this module fills the MODES table, in the order of these
lines: the default mode comes first, because clients preselect the first model of a list."""

import pipeline.review.flow  # isort: skip
import pipeline.best.flow  # isort: skip
import pipeline.tested.flow  # isort: skip
import pipeline.projects.flow  # isort: skip
import pipeline.rag.flow  # noqa: F401  # isort: skip
